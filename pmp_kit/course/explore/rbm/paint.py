"""The picture of the RBM studio: a sheet of samples, the curves of Figure 3, and bars for the ten digits."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...experiments.rbm.figures import SCALE, STYLES, curves, drawn_height
from ...experiments.rbm.learn import METHODS
from ...plot import pixels
from .compute import SHOWN, State

WIDTH, HEIGHT, DENSITY = 640, 366, 1.5
COLUMNS = 5
CELL, GAP = 6, 6  # image pixels: a pixel of a sample, the space between samples
TOP, LEFT = 46, 3
ENOUGH = 0.02  # share of a digit that counts as present


class Painter:
    """A figure in which one curve, one mark and ten bars change; the digits are pasted beside it."""

    def __init__(self, stored: dict[str, np.ndarray]):
        self.stored = stored
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        self._make_curves()
        self._make_bars()
        place = LEFT / WIDTH / DENSITY, 1 - 30 / HEIGHT / DENSITY
        self.head = self.curves.text(*place, "", transform=self.canvas.figure.transFigure, **plot.WRITING)
        self.canvas.moving(self.head)

    def _make_curves(self) -> None:
        axes = self.curves = self.canvas.axes(0.60, 0.555, 0.225, 0.345)
        curves(axes, self.stored, size=plot.TEXT - 1)
        axes.text(-0.17, 1.12, "MMD² from held-out digits", transform=axes.transAxes, **plot.WRITING)
        (self.now,) = axes.plot([], [], linewidth=3)
        (self.mark,) = axes.plot([], [], "o", markersize=8, markeredgecolor=plot.INK, clip_on=False)
        self.canvas.moving(self.now, self.mark)

    def _make_bars(self) -> None:
        axes = self.canvas.axes(0.60, 0.11, 0.38, 0.23)
        axes.set(xlim=(-0.6, 9.6), ylim=(0, 1), xticks=range(10))
        axes.set_yticks([0, 0.5, 1], ["0", "50", "100 %"])
        axes.text(-0.10, 1.13, "share of each digit", transform=axes.transAxes, **plot.WRITING)
        axes.axhline(0.1, color=plot.QUIET, linewidth=0.8, linestyle="--")
        self.heights = axes.bar(range(10), np.zeros(10), width=0.75)
        self.canvas.moving(*self.heights)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        style = STYLES[state.method]
        here, stage = METHODS.index(state.method), self.stored["sweeps"].tolist().index(state.sweeps)
        score = drawn_height(self.stored["u"][here, :, SCALE])
        self.now.set_data(self.stored["sweeps"], score)
        self.mark.set_data([state.sweeps], [score[stage]])
        self.mark.set_visible(not state.painted)
        self.mark.set_marker(style.mark)
        for artist in (self.now, self.mark):
            artist.set_color(style.colour)
        for bar, share in zip(self.heights, state.shares, strict=True):
            bar.set(height=share, color=style.colour, alpha=1.0 if share >= ENOUGH else 0.35)
        self.head.set_text(f"{state.method}: " + ("completions" if state.painted else f"{SHOWN} samples"))
        painted = pixels.boundary(state.evidence >= 0, CELL, 1)
        picture = self.canvas.pixels()
        pixels.paste(picture, pixels.sheet(state.images, CELL, COLUMNS, GAP, painted), TOP, LEFT)
        return picture
