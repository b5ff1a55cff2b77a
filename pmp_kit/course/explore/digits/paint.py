"""The picture of sixty-second PMP: a sheet of completions, the share of pixels that are on, and the digit itself."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import pixels
from .compute import State

COLUMNS = 5
WIDTH, HEIGHT = 500, 348
DENSITY = 1.5
CELL, GAP = 10, 15  # image pixels: a pixel of a completion, the space between completions
LARGE = 26  # image pixels: a pixel of the pictures at the right
TOP, LEFT = 36, 3
SIZE = 11  # of the words, in CSS pixels: the picture is narrow, so it is shown larger than others
RIGHT = 518  # where the pictures at the right begin
LOWER = 302


class Painter:
    """Draws the words once and pastes the pictures below them."""

    def __init__(self):
        self._ground = _words(
            WIDTH, {(LEFT, TOP): "25 completions", (RIGHT, TOP): "share that is on", (RIGHT, LOWER): "the real digit"}
        )

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        picture, painted = self._ground.copy(), pixels.boundary(state.evidence >= 0, CELL, 2)
        pixels.paste(picture, pixels.sheet(state.completions, CELL, COLUMNS, GAP, painted), TOP, LEFT)
        pixels.paste(picture, pixels.frame(pixels.probabilities(state.share, LARGE)), TOP, RIGHT)
        pixels.paste(picture, pixels.frame(pixels.states(state.truth, LARGE)), LOWER, RIGHT)
        return picture

    def with_evidence(self, state: State) -> bytes:
        """Return a PNG of the evidence at the left of the picture, for pages without a kernel and its painter."""
        beside = _words(170, {(LEFT, TOP): "painted, or free (striped)"})
        pixels.paste(beside, pixels.frame(pixels.states(state.evidence, LARGE)), TOP, LEFT)
        return plot.png(np.concatenate([beside, self.paint(state)], axis=1))


def _words(width: int, lines: dict[tuple[int, int], str]) -> pixels.Image:
    """Write a line of text above each of the places (left, top), which are in image pixels."""
    canvas = plot.Canvas(width, HEIGHT, DENSITY)
    for (left, top), line in lines.items():
        canvas.write(left / DENSITY, (top - 10) / DENSITY, line, fontsize=SIZE)
    return canvas.pixels()
