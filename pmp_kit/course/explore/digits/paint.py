"""The picture of sixty-second PMP: a sheet of completions, the share of pixels that are on, and the digit itself."""

from __future__ import annotations

import numpy as np

from pmp_kit.course import plot

from ...plot import pixels as painters

COMPLETIONS, COLUMNS = 25, 5
WIDTH, HEIGHT = 500, 348
DENSITY = 1.5
CELL, GAP = 10, 15  # image pixels: a pixel of a completion, the space between completions
LARGE = 26  # image pixels: a pixel of the pictures at the right
TOP, LEFT = 36, 3
RIGHT = 518  # where the pictures at the right begin
LOWER = 302


class SheetPainter:
    """Words are drawn once; the pictures are pasted between them."""

    def __init__(self):
        self._ground = _words(
            WIDTH, {(LEFT, TOP): "25 completions", (RIGHT, TOP): "share that is on", (RIGHT, LOWER): "the real digit"}
        )

    def paint(self, state) -> painters.Image:
        """The picture of a CompletionState."""
        sheet = self._ground.copy()
        painted = state.evidence >= 0
        count, side, _ = state.completions.shape
        tower = painters.states(state.completions.reshape(count * side, side), CELL)
        completions = tower.reshape(count, side * CELL, side * CELL, 3)
        completions[:, painters.boundary(painted, CELL, 2)] = plot.rgb(painters.OUTLINE)
        painters.paste(sheet, painters.mosaic(painters.frame(completions), COLUMNS, GAP), TOP, LEFT)
        painters.paste(sheet, painters.frame(painters.probabilities(state.share, LARGE)), TOP, RIGHT)
        painters.paste(sheet, painters.frame(painters.states(state.truth, LARGE)), LOWER, RIGHT)
        return sheet

    def with_evidence(self, state) -> bytes:
        """The evidence at the left of the picture, as a PNG: for pages without a kernel and its painter."""
        beside = _words(170, {(LEFT, TOP): "painted, or free (striped)"})
        painters.paste(beside, painters.frame(painters.states(state.evidence, LARGE)), TOP, LEFT)
        return plot.png(np.concatenate([beside, self.paint(state)], axis=1))


def _words(width: int, lines: dict[tuple[int, int], str]) -> painters.Image:
    """A white sheet with a line of text above each of the places (left, top), which are in image pixels."""
    canvas = plot.Canvas(width, HEIGHT, DENSITY)
    for (left, top), line in lines.items():
        canvas.figure.text(
            left / (width * DENSITY), 1 - (top - 10) / (HEIGHT * DENSITY), line, fontsize=11, color=plot.INK
        )
    return canvas.pixels()
