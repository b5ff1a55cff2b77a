"""The HTML of an equation and its code, in which terms and lines can be pointed at. linked.js lights them up."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from .equations import Equation

HINT = "Point at a term or a line of code, or move through them with Tab. What belongs together lights up."
NAMES = {"argmax", "belief", "best", "cavity", "data", "if", "log", "max", "model", "repeat", "score", "times"}
"""Words of formulas. All other letters are variables."""
_TOKEN = re.compile(r"&\w+;|_\{([^}]*)\}|_(\w)|([^\W\d_]+)")


def document(equation: Equation, code: Sequence[str]) -> str:
    """Return the equation, the sentences about its terms, and the lines of its code."""
    rows = "".join(f'<div class="pmp-row">{_row(equation, row)}</div>' for row in equation.rows)
    says = "".join(f'<div data-says="{name}">{html.escape(term.words)}</div>' for name, term in equation.terms.items())
    lines = "".join(_line(equation, number, line) for number, line in enumerate(code, 1))
    return (
        f'<div class="pmp-title">{html.escape(equation.title)}</div>{rows}'
        f'<div class="pmp-says" aria-hidden="true"><div data-says="">{HINT}</div>{says}</div>'
        f'<pre class="pmp-listing">{lines}</pre>'
    )


def formula(text: str) -> str:
    """Return a formula as HTML: variables in italics, an index after "_" below, in braces if it is longer."""

    def written(found: re.Match) -> str:
        longer, letter, word = found.groups()
        if longer or letter:
            return f"<sub>{formula(longer or letter)}</sub>"
        return f"<i>{word}</i>" if word and word not in NAMES else found[0]

    return _TOKEN.sub(written, html.escape(text))


def _row(equation: Equation, row: Sequence[str | tuple[str, str]]) -> str:
    return "".join(formula(part) if isinstance(part, str) else _term(equation, *part) for part in row)


def _term(equation: Equation, name: str, text: str) -> str:
    """Return a term. Its name for screen readers is its sentence and the numbers of its lines."""
    term = equation.terms[name]
    where = f"Line{'s' if len(term.lines) > 1 else ''} {' and '.join(map(str, term.lines))} of the code."
    return f"<span{_marks(equation, [name], f'{term.words} {where}')}>{formula(text)}</span>"


def _line(equation: Equation, number: int, text: str) -> str:
    """Return a line of code. Screen readers say the line, and then the sentences of its terms."""
    names = [name for name, term in equation.terms.items() if number in term.lines]
    words = " ".join([f"Line {number}: {text.strip()}", *(equation.terms[name].words for name in names)])
    marks = _marks(equation, names, words) if names else ""
    return f'<span class="pmp-code"{marks}>{html.escape(text)}\n</span>'


def _marks(equation: Equation, names: Sequence[str], label: str) -> str:
    """Return the attributes of what can be pointed at and focused."""
    lights = " ".join(sorted({equation.terms[name].lights for name in names} - {""}))
    data = f'data-term="{" ".join(names)}" data-lights="{lights}"'
    return f' tabindex="0" {data} role="img" aria-label="{html.escape(label)}"'
