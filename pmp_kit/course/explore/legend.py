"""The legend of an explorer: its signs with what they mean, folded at first."""

from __future__ import annotations

import html
from collections.abc import Iterable

from ..plot.signs import sign, svg

KEYS = 'data-lm-suppress-shortcuts="true"'
"""An attribute of what is folded: Enter and Space unfold it, and do nothing to the notebook."""


def legend(names: Iterable[str]) -> str:
    """Return the HTML of a legend; "" if there are no signs.

    Args:
        names: of the signs, as in `plot.signs`.
    """
    rows = [f"<li>{svg(drawn)} {html.escape(drawn.words)}</li>" for drawn in map(sign, names)]
    if not rows:
        return ""
    return f'<details class="pmp-legend" {KEYS}><summary>legend</summary><ul>{"".join(rows)}</ul></details>'
