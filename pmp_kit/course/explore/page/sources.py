"""Functions that read the scripts and the style sheet of the page from the files in this folder."""

from __future__ import annotations

import pathlib
import re

_HERE = pathlib.Path(__file__).parent
_IMPORT = re.compile(r'^import (?:\* as (\w+)|(\{[^}]*\})) from "\./(\w+)\.js";\n', re.MULTILINE)
_TYPES = re.compile(r"^/\*\* @import .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_FOR_ANYWIDGET = "export default { render: reporting(render) };\n"


def style(name: str = "look.css") -> str:
    """Return a style sheet, by default the one of all explorers."""
    return _read(name)


def script(name: str) -> str:
    """Return one script that defines `render`. It joins the files that the file of this name imports and the file.

    A widget and an exported page are single texts, so they cannot import other files. Each imported file becomes a
    function that is called at once and returns what the file exports, so its other names stay in a scope of their own.
    """
    scopes: dict[str, str] = {}
    text = _linked(name, scopes)
    return "".join([*scopes.values(), text])


def module(name: str) -> str:
    """Return the script of `script` as the module that anywidget expects. It reports what it raises to the kernel."""
    return script(name) + script("report.js") + _FOR_ANYWIDGET


def _linked(name: str, scopes: dict[str, str]) -> str:
    """Return a file that takes its imports from `scopes`, and add the files that it needs to `scopes` before it."""
    text = _TYPES.sub("", _read(name))
    for *_, needed in _IMPORT.findall(text):
        if needed not in scopes:
            body = _linked(f"{needed}.js", scopes)
            exports = ", ".join(_EXPORT.findall(_read(f"{needed}.js")))
            scopes[needed] = f"const file_{needed} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
    return _EXPORT.sub("", _IMPORT.sub(r"const \1\2 = file_\3;\n", text))


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
