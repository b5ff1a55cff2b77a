"""The picture of the sample judge: six images of each set, its distance as a bar, and the kernel above the bars."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...experiments.judging import sets
from ...plot import pixels
from .compute import SHOWN, State, distances

WIDTH, HEIGHT, DENSITY = 640, 444, 1.5
CELL, GAP = 6, 6  # image pixels: a pixel of an image, the space between images
LEFT, RIGHT = 148, 442  # CSS pixels: where the images and the bars begin
FIRST, ROWS, PITCH = 40, 164, 57  # CSS pixels: top of the reference, top of the rows, height of a row
LOW, HIGH = -3.5, 12.0  # the axis of the bars
ASIDE = 0.25  # from the line at 0 to a number beside it
COLOURS = dict(
    zip(sets.NAMES, (plot.METHODS["data"].colour, plot.METHODS["PMP"].colour, plot.QUIET, plot.INK), strict=True)
)
MOST = 0.5  # the largest share of pixels on the axis of the kernel


class Painter:
    """A figure in which the kernel and four bars change; the images are pasted beside them."""

    def __init__(self):
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        for row, name in enumerate(sets.NAMES):
            self.canvas.write(4, ROWS + PITCH * (row + 0.5) + 4, name)
        self._make_kernel()
        self._make_bars()

    def _place(self, top: float, height: float) -> tuple[float, float, float, float]:
        """Return where axes at the right are, in shares of the figure."""
        return RIGHT / WIDTH, 1 - (top + height) / HEIGHT, (WIDTH - 22 - RIGHT) / WIDTH, height / HEIGHT

    def _make_kernel(self) -> None:
        axes = self.canvas.axes(*self._place(30, 62))
        axes.set(xlim=(0, MOST), ylim=(0, 1.05), yticks=[0, 1])
        axes.set_xticks([0, 0.25, 0.5], ["0", "25 %", "50 %"])
        share, edges = np.histogram(distances(), bins=25, range=(0, MOST))
        axes.bar(edges[:-1], share / share.max(), np.diff(edges), align="edge", color="#DDDDDD")
        (self.kernel,) = axes.plot([], [], color=plot.INK, linewidth=2)
        self.canvas.write(RIGHT, 20, "kernel; grey: pairs of zeros")
        self.canvas.write(RIGHT, 124, "pixels that differ", color=plot.QUIET)
        self.head = axes.text(4 / WIDTH, 1 - 20 / HEIGHT, "", transform=self.canvas.figure.transFigure, **plot.WRITING)
        self.canvas.moving(self.kernel, self.head)

    def _make_bars(self) -> None:
        count = len(sets.NAMES)
        axes = self.canvas.axes(*self._place(ROWS, PITCH * count))
        axes.set(xlim=(LOW, HIGH), ylim=(count - 0.5, -0.5), yticks=[], xticks=[0, 2, 5, 10])
        axes.axvspan(-2, 2, color=plot.BAND, linewidth=0)
        axes.axvline(0, color=plot.FAINT, linewidth=1)
        self.canvas.write(LEFT, ROWS - 10, f"{SHOWN} of its images")
        self.canvas.write(RIGHT, ROWS - 10, "distance from real zeros")
        axes.set_xlabel("standard deviations", **plot.WRITING)
        self.bars = [axes.hlines(row, 0, 0, color=colour, linewidth=15) for row, colour in enumerate(COLOURS.values())]
        self.values = [axes.text(0, row - 0.27, "", **plot.WRITING) for row in range(count)]
        self.canvas.moving(*self.bars, *self.values)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        at = np.linspace(0, MOST, 101)
        self.kernel.set_data(at, np.exp(-state.scale * at))
        self.head.set_text(f"reference: zeros, {state.name}")
        for row, (bar, value, sigma) in enumerate(zip(self.bars, self.values, state.sigmas, strict=True)):
            end = float(np.clip(sigma, LOW, HIGH))
            bar.set_segments([[(0, row), (end, row)]])
            value.set_text(f"{sigma:.1f}".replace("-", "−") + (" →" if sigma > HIGH else ""))
            value.set_x(max(end, ASIDE))
            value.set_horizontalalignment("right" if end > 0.7 * HIGH else "left")
        picture = self.canvas.pixels()
        for row, images in enumerate((state.reference, *state.images)):
            top = FIRST if row == 0 else ROWS + PITCH * (row - 1) + (PITCH - 41) / 2
            sheet = pixels.sheet(images, CELL, SHOWN, GAP)
            pixels.paste(picture, sheet, round(top * DENSITY), round(LEFT * DENSITY))
        return picture
