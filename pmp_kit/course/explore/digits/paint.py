"""The picture of sixty-second PMP: a sheet of completions, the share of pixels that are on, and the digit itself."""

from __future__ import annotations

import functools

import numpy as np

from ... import plot
from ...plot import pixels
from .compute import State

COLUMNS = 5
WIDTH, HEIGHT = 500, 348
WIDE = 664  # with the completions of a reader's sampler
DENSITY = 1.5
SMALL, GAP = 80, 15  # image pixels: a completion, the space between completions
LARGE = 208  # image pixels: a picture at the right
TOP, LEFT = 36, 3
SIZE = 11  # of the words, in CSS pixels: the picture is narrow, so it is shown larger than others
RIGHT = 518  # where the pictures at the right begin
LOWER = 302


class Painter:
    """Draws the words once and pastes the pictures below them.

    Args:
        side: pixels of a side of a digit.
    """

    def __init__(self, side: int):
        self._cell, self._large = SMALL // side, LARGE // side  # image pixels of a pixel of the digit
        self._ground = _words(
            WIDTH, {(LEFT, TOP): "25 completions", (RIGHT, TOP): "share that is on", (RIGHT, LOWER): "the real digit"}
        )

    @functools.cached_property
    def _wide_ground(self) -> pixels.Image:
        """The words of the picture with the completions of a reader's sampler."""
        words = {(LEFT, TOP): "25 completions of the given sampler", (RIGHT, TOP): "25 completions of the kit"}
        return _words(WIDE, words)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        painted = pixels.boundary(state.evidence >= 0, self._cell, 2)
        if state.own is not None:
            return self._beside(state, state.own, painted)
        picture = self._ground.copy()
        pixels.paste(picture, pixels.sheet(state.completions, self._cell, COLUMNS, GAP, painted), TOP, LEFT)
        pixels.paste(picture, pixels.frame(pixels.probabilities(state.share, self._large)), TOP, RIGHT)
        pixels.paste(picture, pixels.frame(pixels.states(state.truth, self._large)), LOWER, RIGHT)
        return picture

    def _beside(self, state: State, own: np.ndarray, painted: np.ndarray) -> pixels.Image:
        """Paint the reader's completions at the left and those of the library at the right."""
        picture = self._wide_ground.copy()
        for left, some in ((LEFT, own), (RIGHT, state.completions)):
            sheet = np.full_like(state.completions, 0)
            sheet[: len(some)] = some
            pixels.paste(picture, pixels.sheet(sheet, self._cell, COLUMNS, GAP, painted), TOP, left)
        return picture

    def with_evidence(self, state: State) -> bytes:
        """Return a PNG of the evidence at the left of the picture, for pages without a kernel and its painter."""
        beside = _words(170, {(LEFT, TOP): "given, or free (striped)"})
        pixels.paste(beside, pixels.frame(pixels.states(state.evidence, self._large)), TOP, LEFT)
        return plot.png(np.concatenate([beside, self.paint(state)], axis=1))


def _words(width: int, lines: dict[tuple[int, int], str]) -> pixels.Image:
    """Write a line of text above each of the places (left, top), which are in image pixels."""
    canvas = plot.Canvas(width, HEIGHT, DENSITY)
    for (left, top), line in lines.items():
        canvas.write(left / DENSITY, (top - 10) / DENSITY, line, fontsize=SIZE)
    return canvas.pixels()
