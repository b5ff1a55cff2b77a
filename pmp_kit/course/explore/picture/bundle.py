"""Joins the scripts of a picture into the one text that a widget or an exported page takes."""

from __future__ import annotations

import functools
import pathlib
import re

HERE = pathlib.Path(__file__).parent
_FROM = r'from "(\.{1,2}/[\w/.]+\.js)";\n'
_IMPORT = re.compile(rf"^import (?:\* as (\w+)|(\{{[^}}]*\}})) {_FROM}", re.MULTILINE)
_AGAIN = re.compile(rf"^export \{{([^}}]*)\}} {_FROM}", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?:(?!\*/)[\s\S])*\*/\n|/\*\* @\w+ [^\n]*?\*/ ?", re.MULTILINE)


@functools.cache
def script(source: pathlib.Path | str) -> str:
    """Return a script without imports and comments, behind the scripts that it needs.

    Each file that is imported becomes a function that is called at once and returns what the file exports, so its other
    names stay in a scope of their own.

    Args:
        source: the path of the script, or its text, which may import what is in this folder.
    """
    scopes: dict[pathlib.Path, str] = {}
    text = _linked(source, scopes)
    return "".join([*scopes.values(), text])


def _linked(source: pathlib.Path | str, scopes: dict[pathlib.Path, str]) -> str:
    """Return a script that takes its imports from `scopes`, and add the files that it needs to `scopes` before it."""
    given = isinstance(source, str)
    folder = HERE if given else source.parent
    text = _COMMENT.sub("", source if given else source.read_text(encoding="utf-8"))

    def scope(needed: str) -> str:
        file = (folder / needed).resolve()
        name = f"file_{file.stem}"
        if file not in scopes:
            body = _linked(file, scopes)
            scopes[file] = f"const {name} = (() => {{\n{body}}})();\n"
        return name

    names = _EXPORT.findall(text)
    text = _EXPORT.sub("", text)
    text = _IMPORT.sub(lambda found: f"const {found[1] or found[2]} = {scope(found[3])};\n", text)
    for again, needed in _AGAIN.findall(text):
        scope(needed)
        names += "".join(again.split()).strip(",").split(",")
    text = _AGAIN.sub(lambda found: f"const {{{found[1]}}} = {scope(found[2])};\n", text)
    return text + (f"return {{ {', '.join(names)} }};\n" if names else "")
