"""The picture of the brush of zeros: where ink is expected, given what is painted, and single completions."""

from __future__ import annotations

import numpy as np

from pmp_kit.course import plot

from ...plot import pixels as painters

COMPLETIONS, COLUMNS = 12, 4
WIDTH, HEIGHT, DENSITY = 600, 350, 1.5
TOP, LEFT, RIGHT = 36, 3, 480  # image pixels
LARGE, SMALL = 450, 96  # image pixels: the width of the large picture, and of a completion
GAP = 6


class BrushPainter:
    """Words are drawn once; the pictures are pasted below them."""

    def __init__(self):
        canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        words = {LEFT: "share of the completions with ink", RIGHT: f"{COMPLETIONS} completions"}
        for left, line in words.items():
            place = left / (WIDTH * DENSITY), 1 - (TOP - 10) / (HEIGHT * DENSITY)
            canvas.figure.text(*place, line, fontsize=11, color=plot.INK)
        self._ground = canvas.pixels()

    def paint(self, state) -> painters.Image:
        """The picture of a BrushState."""
        sheet, side = self._ground.copy(), max(state.evidence.shape)
        cell, painted = LARGE // side, state.evidence >= 0
        share = painters.probabilities(state.share, cell)
        share[painters.boundary(painted, cell, 2)] = plot.rgb(painters.OUTLINE)
        painters.paste(sheet, painters.frame(share), TOP, LEFT)
        cell = SMALL // side
        images = np.stack([painters.states(one, cell) for one in state.completions])
        images[:, painters.magnify(state.evidence == 1, cell)] = plot.rgb(painters.OUTLINE)
        painters.paste(sheet, painters.mosaic(painters.frame(images), COLUMNS, GAP), TOP, RIGHT)
        return sheet
