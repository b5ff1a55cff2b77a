"""An equation, its code and the picture of an explorer that light up together."""

from __future__ import annotations

import ast
import inspect
import pathlib
import textwrap
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import traitlets

from ....engine import checks
from .. import layout
from ..live import Live
from ..picture import Explorer, bundle
from ..picture.scripted import Scripted
from . import equations, listings
from .document import document
from .equations import Equation, Term

__all__ = ["Equation", "Linked", "Term", "equations", "listings"]


HERE = pathlib.Path(__file__).parent
SCRIPT = bundle.script(HERE / "linked.js")
STYLE = layout.style_sheet() + (HERE / "linked.css").read_text(encoding="utf-8")
RECORDED = """<div class="pmp-explorer pmp-drawn">
<style>
{style}
</style>
<div class="pmp-linked" role="group" aria-label="equation and code">{document}</div>
<script>
(() => {{
"use strict";
{script}
const el = document.currentScript.parentElement.querySelector(".pmp-linked");
linked.render({{ model: {{ get: (name) => name === "html" && el.innerHTML, set() {{}} }}, el }});
}})();
</script>
</div>
"""


class _LinkedView(Scripted):
    """The widget. The script lights up terms and lines, and tells the picture what is lit."""

    _esm = SCRIPT
    _css = STYLE
    html = traitlets.Unicode().tag(sync=True)
    lit = traitlets.Unicode().tag(sync=True)
    """Names of the parts of the picture that are lit, separated by spaces."""


class Linked(Live):
    """An equation, its code and the picture of an explorer that light up together, by mouse, focus and keyboard.

    The picture is the one of the explorer: it shows the same settings, beside the equation. On a page without a kernel
    the equation and the code still light up together.

    Args:
        equation: its rows and its terms; `pmp_kit.course.explore.linked.equations` has those of the course.
        code: the function that computes what the equation says. Its source is shown without the docstring.
        explorer: shows what the terms stand for; None for equation and code only.

    Attributes:
        lines: the lines of the code.
        widget: everything, as one ipywidget.

    Raises:
        ValueError: the equation has an unknown term, a term has a line that the code does not have, or a part that the
            picture does not have.
        TypeError: code is not a function that is written with def.
    """

    def __init__(self, equation: Equation, code: Callable[..., Any], explorer: Explorer | None = None):
        self.equation, self.lines = equation, listing(code)
        _check(equation, self.lines)
        self.view = _LinkedView(html=document(equation, self.lines))
        self.widget = widgets.Box([self.view])
        for name in ("pmp-explorer", "pmp-drawn", "pmp-row"):
            self.widget.add_class(name)
        if explorer is not None:
            checks.instance("explorer", explorer, Explorer, "explore.MessageScope()")
            self.widget.children += (self._picture(explorer),)
        self.begin(explorer)

    def _picture(self, explorer: Explorer) -> widgets.Widget:
        """Return a box with another view of the explorer's picture, which is told in the page what is lit."""
        shown, parts = explorer.picture, explorer.parts
        unknown = {term.lights for term in self.equation.terms.values()} - {"", *parts}
        if unknown:
            raise ValueError(
                f"explorer: expected a picture with the parts {sorted(unknown)}, got {sorted(parts)}; give it "
                "these parts, or choose another explorer"
            )
        self.loose = [widgets.jsdlink((self.view, "lit"), (shown, "lit"))]
        box = widgets.Box([shown])
        box.add_class("pmp-picture")
        return box

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        words = f"{self.equation.title}\n\n" + "\n".join(self.lines)
        script = SCRIPT.replace("export default", "const linked =")
        page = RECORDED.format(style=STYLE, document=self.view.html, script=script)
        return layout.mimebundle(self.widget, words, player=page)


def listing(code: Callable[..., Any]) -> list[str]:
    """Return the source of a function in lines, without its docstring.

    Raises:
        TypeError: code is not a function that is written with def.
    """
    if not inspect.isfunction(code) or code.__name__ == "<lambda>":
        got = "a lambda" if inspect.isfunction(code) else type(code).__name__
        raise TypeError(
            f"code: expected a function that is written with def, got {got}; write def name(...): in lines of its own, "
            "and pass the name"
        )
    source = textwrap.dedent(inspect.getsource(code))
    lines, (function,) = source.splitlines(), ast.parse(source).body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        del lines[docstring.lineno - 1 : docstring.end_lineno]
    return lines


def _check(equation: Equation, lines: list[str]) -> None:
    """Raise a ValueError unless all terms of the rows are described and their lines are in the code."""
    used = {part[0] for row in equation.rows for part in row if not isinstance(part, str)}
    if used != set(equation.terms):
        raise ValueError(
            f"equation: expected the terms of its rows, {sorted(used)}, got {sorted(equation.terms)}; describe each "
            "term once"
        )
    for name, term in equation.terms.items():
        if not term.lines or not set(term.lines) <= set(range(1, len(lines) + 1)):
            raise ValueError(
                f"equation: expected lines from 1 to {len(lines)} for the term {name!r}, got {term.lines}; count the "
                "lines of the code without its docstring"
            )
