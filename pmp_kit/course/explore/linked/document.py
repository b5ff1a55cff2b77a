"""The HTML of an equation and its code. The style sheet alone lights up terms and lines together, without a script."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ..page import sources
from .equations import Equation
from .mathml import mathml

HINT = "Point at a term or a line of code, or move through them with Tab. What belongs together lights up."


def document(equation: Equation, code: Sequence[str]) -> str:
    """Return an element that holds the equation, the lines of its code, and the style sheet of both."""
    rows = "".join(f'<div class="pmp-row">{_row(equation, row)}</div>' for row in equation.rows)
    says = "".join(f'<div data-says="{name}">{html.escape(term.words)}</div>' for name, term in equation.terms.items())
    lines = "".join(_line(equation, number, line) for number, line in enumerate(code, 1))
    return (
        f'<div class="pmp-linked pmp-live" role="group" aria-label="{html.escape(equation.title)}: equation and code">'
        f"<style>{sources.style('linked.css')}{rules(list(equation.terms))}</style>"
        f'<div class="pmp-title">{html.escape(equation.title)}</div>{rows}'
        f'<div class="pmp-says" aria-hidden="true"><div class="pmp-hint">{HINT}</div>{says}</div>'
        f'<pre class="pmp-listing">{lines}</pre></div>'
    )


def rules(names: Sequence[str]) -> str:
    """Return the rules that light up whatever has the name of the term that is pointed at, or else focused."""
    pointed = [f'.pmp-live:has([data-term~="{name}"]:hover)' for name in names]
    focused = [f'.pmp-live:not(:has([data-term]:hover)):has([data-term~="{name}"]:focus-visible)' for name in names]
    roots = [(root, name) for group in (pointed, focused) for root, name in zip(group, names, strict=True)]
    lit = ",".join(f'{root} [data-term~="{name}"]' for root, name in roots)
    says = ",".join(f'{root} [data-says="{name}"]' for root, name in roots)
    return f"{lit}{{background:var(--pmp-lit);box-shadow:0 2px 0 currentColor}}{says}{{display:block}}"


def _row(equation: Equation, row: Sequence[str | tuple[str, str]]) -> str:
    return "".join(_math(part) if isinstance(part, str) else _term(equation, *part) for part in row)


def _math(formula: str) -> str:
    return f'<math displaystyle="true">{mathml(formula)}</math>'


def _term(equation: Equation, name: str, formula: str) -> str:
    """Return a term. Its name for screen readers is its sentence and the numbers of its lines."""
    term = equation.terms[name]
    where = f"Line{'s' if len(term.lines) > 1 else ''} {' and '.join(map(str, term.lines))} of the code."
    label = html.escape(f"{term.words} {where}")
    return f'<span{_marks(equation, [name])} role="img" aria-label="{label}">{_math(formula)}</span>'


def _line(equation: Equation, number: int, text: str) -> str:
    """Return a line of code. Screen readers say the line, and then the sentences of its terms."""
    names = [name for name, term in equation.terms.items() if number in term.lines]
    if not names:
        return f'<span class="pmp-line">{html.escape(text)}\n</span>'
    words = " ".join(equation.terms[name].words for name in names)
    label = html.escape(f"Line {number}: {text.strip()} {words}")
    return (
        f'<span class="pmp-line"{_marks(equation, names)} role="img" aria-label="{label}">{html.escape(text)}\n</span>'
    )


def _marks(equation: Equation, names: Sequence[str]) -> str:
    """Return the attributes of what can be pointed at and focused."""
    lights = " ".join(sorted({equation.terms[name].lights for name in names} - {""}))
    return f' tabindex="0" data-term="{" ".join(names)}" data-lights="{lights}"'
