"""A picture with a grid of blocks; a sentence says what the block is that the reader points at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import traitlets

from . import sources
from .still import Boxes, Still, StillView


class _ToldView(StillView):
    """The widget. The sentences travel once, so that the page can say them without the kernel."""

    _esm = sources.module("told.js")
    grid = traitlets.Dict().tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)


class Told(Still):
    """A picture with a grid of blocks that say what they are, by mouse, finger and arrow keys.

    Args:
        width: width on the page in CSS pixels.
        grid: left, top, wide, high (of a block), in image pixels, rows and columns. Row 0 is at the top.
        words: a sentence for each block, row by row.
        hint: what stands there while no block is pointed at.
        parts: as for `Still`.

    Raises:
        ValueError: there are not as many sentences as blocks.
    """

    def __init__(
        self, width: int, grid: dict[str, int], words: Sequence[str], hint: str, parts: Callable[[], Boxes] = dict
    ):
        blocks = grid["rows"] * grid["columns"]
        if len(words) != blocks:
            raise ValueError(f"words: expected {blocks} sentences, one for each block, got {len(words)}; add the rest")
        super().__init__(width, _ToldView(grid=grid, words=list(words), hint=hint), parts)
