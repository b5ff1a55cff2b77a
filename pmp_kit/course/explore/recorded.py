"""What pages without a kernel show of a phase map and of a question: HTML that fetches nothing."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ..plot.png import shown
from .export import WHERE
from .legend import KEYS
from .page import sources

FRAME = """<div class="pmp-explorer pmp-recording">
<style>
{style}
</style>
<div class="pmp-title">{title}</div>
{body}
<p class="pmp-live">{live}</p>
</div>
"""


def picture(title: str, caption: str, png: bytes, says: str, fold: str = "") -> str:
    """Return a picture between its caption, which is HTML, and its sentence.

    Args:
        title, caption, says: the words around the picture.
        png: the picture, a PNG file.
        fold: the words on which the reader clicks to see the picture; "" shows it at once.
    """
    image = shown(png, f"{title}. {says}", 'class="pmp-wide"')
    content = f'{image}<div class="pmp-status">{html.escape(says)}</div>'
    body = f'<div class="pmp-caption">{caption}</div>{folded(fold, content) if fold else content}'
    return _framed(title, body, "To load a setting in the explorer")


def question(title: str, text: str, options: Sequence[str], answer: str) -> str:
    """Return a question and its options; the answer, which is HTML, is folded."""
    rows = "".join(f"<li>{html.escape(option)}</li>" for option in options)
    fold = folded("Choose an answer. Then open this.", f'<div class="pmp-check">{answer}</div>')
    body = f'<div class="pmp-caption">{html.escape(text)}</div><ul>{rows}</ul>{fold}'
    return _framed(title, body, "To see the experiment")


def folded(words: str, body: str) -> str:
    """Return HTML that is hidden until the reader clicks on the words."""
    return f'<details class="pmp-fold" {KEYS}><summary>{html.escape(words)}</summary>{body}</details>'


def _framed(title: str, body: str, why: str) -> str:
    return FRAME.format(style=sources.style(), title=html.escape(title), body=body, live=f"{why}, {WHERE}")
