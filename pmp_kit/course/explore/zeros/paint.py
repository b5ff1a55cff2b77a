"""The picture of the brush of zeros: where ink is expected given the evidence, and single completions."""

from __future__ import annotations

from ... import plot
from ...plot import pixels
from .compute import COMPLETIONS, State

COLUMNS = 4
WIDTH, HEIGHT, DENSITY = 600, 350, 1.5
TOP, LEFT, RIGHT = 36, 3, 480  # image pixels
LARGE, SMALL = 450, 96  # image pixels: the width of the large picture, and of a completion
GAP = 6


class Painter:
    """Draws the words once and pastes the pictures below them."""

    def __init__(self):
        canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        words = {LEFT: "share of the completions with ink", RIGHT: f"{COMPLETIONS} completions"}
        for left, line in words.items():
            canvas.write(left / DENSITY, (TOP - 10) / DENSITY, line)
        self._ground = canvas.pixels()

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        picture, side = self._ground.copy(), max(state.evidence.shape)
        cell = LARGE // side
        share = pixels.probabilities(state.share, cell)
        share[pixels.boundary(state.evidence >= 0, cell, 2)] = plot.rgb(pixels.OUTLINE)
        pixels.paste(picture, pixels.frame(share), TOP, LEFT)
        cell = SMALL // side
        painted = pixels.magnify(state.evidence == 1, cell)
        pixels.paste(picture, pixels.sheet(state.completions, cell, COLUMNS, GAP, painted), TOP, RIGHT)
        return picture
