"""MathML of short formulas: `mathml("P + W_{ij} x_j")`. Browsers show it without a download."""

from __future__ import annotations

import html
import re

NAMES = {"argmax", "belief", "cavity", "data", "log", "max", "model", "score"}
"""Words of several letters. The letters of other words are variables of their own."""
CLOSE = ' lspace="0" rspace="0"'  # of signs in an index
UNDER = {"argmax", "max", "∑"}  # their index stands below them
_TOKEN = re.compile(
    r'(?:"(?P<text>[^"]*)"|(?P<word>[^\W\d_]+′?)|(?P<number>\d+)|(?P<sign>[^\s_]))'
    r"(?:_\{(?P<group>[^}]*)\}|_(?P<one>\w))?"
)


def mathml(formula: str) -> str:
    """Return a formula as MathML elements, without the element `math` around them.

    Args:
        formula: letters, numbers and signs; an index after "_", in braces if it is longer than one letter; a text in
            double quotes. A prime belongs to the letter before it.
    """
    return _elements(formula, "")


def _elements(formula: str, space: str) -> str:
    """Return a formula; `space` are the attributes that set the space around signs."""
    return "".join(_element(token, space) for token in _TOKEN.finditer(formula))


def _element(token: re.Match, space: str) -> str:
    """Return one token with its index."""
    text, word, number, sign, group, one = token.groups()
    before = ""
    if text is not None:
        base = f"<mtext>{html.escape(text)}</mtext>"
    elif word is not None:
        letters = [word] if word in NAMES else re.findall(".′?", word)
        *others, base = (_letter(letter) for letter in letters)
        before = "".join(others)
    elif number is not None:
        base = f"<mn>{number}</mn>"
    else:
        base = f'<mo stretchy="false"{space}>{html.escape(sign)}</mo>'
    index = group or one
    if not index:
        return before + base
    kind = "munder" if (word or sign) in UNDER else "msub"
    return f"{before}<{kind}>{base}<mrow>{_elements(index, CLOSE)}</mrow></{kind}>"


def _letter(name: str) -> str:
    """Return a variable, with its prime."""
    base = f"<mi>{name.removesuffix('′')}</mi>"
    return f"<mrow>{base}<mo{CLOSE}>′</mo></mrow>" if name.endswith("′") else base
