"""Functions that read the scripts and the style sheet of the page from the files in this folder."""

from __future__ import annotations

import pathlib
import re

_HERE = pathlib.Path(__file__).parent
# A line that imports names or types: import { a, b } from "./c.js"; or /** @import { D } from "./c.js" */
_IMPORT = re.compile(r'^(?:/\*\* @)?import \{[^}]*\} from "\./([\w.]+)"(?:;| \*/)\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_FOR_ANYWIDGET = "export default { render: reporting(render) };\n"


def style(name: str = "look.css") -> str:
    """Return a style sheet, by default the one of all explorers."""
    return _read(name)


def script(name: str) -> str:
    """Return one script that defines `render`. It joins the files that the file of this name imports and the file.

    A widget and an exported page are single texts, so they cannot import other files. The lines that import and the
    words `export` are therefore left out, and all names share one scope.
    """
    files: dict[str, str] = {}
    _collect(name, files)
    return "".join(files.values())


def module(name: str) -> str:
    """Return the script of `script` as the module that anywidget expects. It reports what it raises to the kernel."""
    return script(name) + script("report.js") + _FOR_ANYWIDGET


def _collect(name: str, files: dict[str, str]) -> None:
    """Add a file without its imports and exports, after the files that it imports."""
    if name in files:
        return
    text = _read(name)
    for needed in _IMPORT.findall(text):
        _collect(needed, files)
    files[name] = _EXPORT.sub("", _IMPORT.sub("", text))


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
