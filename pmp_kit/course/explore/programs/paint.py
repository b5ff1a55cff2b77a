"""The picture of the relaxation scope: four panels of spins with common rows, and a line of scores for each row."""

from __future__ import annotations

import functools

import numpy as np

from ... import plot
from ...plot import labels, pixels
from .compute import State

WIDTH, HEIGHT, DENSITY = 660, 400, 1.5
TOP, TALL, GAP = 60, 47, 7  # CSS pixels: above the rows, height of a row with and without what is between
PANELS = ("LP", "MPLP", "max-product", "exact")
PLACES, WIDE = (14, 126, 238, 350), 98
CHART_LEFT, CHART_WIDE = 0.715, 0.255
PMP, MPLP = plot.METHODS["PMP"].colour, plot.readable(plot.METHODS["MPLP"].colour)
COLOURS = (MPLP, MPLP, PMP, plot.INK)
TICKS = (-100, -25, 0, 25, 100)
LIMIT = 120.0
BETWEEN = 190  # grey of the lines between spins


class Painter:
    """A figure in which marks and words change; the spins are pasted over it.

    Args:
        draws: rows.
    """

    def __init__(self, draws: int):
        self.draws = draws
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        self.bottom = TOP + draws * TALL
        self._make_chart()
        for name, left, colour in zip(PANELS, PLACES, COLOURS, strict=True):
            self.canvas.write(left + WIDE / 2, TOP - 12, name, color=colour, fontweight="bold", ha="center")

    def _make_chart(self) -> None:
        axes = self.canvas.axes(CHART_LEFT, 1 - self.bottom / HEIGHT, CHART_WIDE, self.draws * TALL / HEIGHT)
        axes.set_xscale(**plot.ROOT_SCALE)
        axes.set(xlim=(-LIMIT, LIMIT), ylim=(self.draws - 0.5, -0.5), yticks=[])
        axes.set_xticks(TICKS, [f"{tick:+d}".replace("-", "−") if tick else "0" for tick in TICKS])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("score minus best, root scale", **plot.WRITING)
        axes.axvline(0, color=plot.INK, linewidth=1.6)
        axes.hlines(np.arange(self.draws), -LIMIT, LIMIT, color="#E4E4E4", linewidth=0.8, zorder=0)
        found = (-0.17, 1.1, "found", plot.INK), (0.15, 1.1, "✚ MPLP", MPLP), (0.47, 1.1, "● max-product", PMP)
        bounds = (-0.17, 1.03, "bounds", plot.INK), (0.15, 1.03, "✕ dual", MPLP), (0.47, 1.03, "▽ LP", MPLP)
        for x, y, words, colour in found + bounds:
            axes.text(x, y, words, transform=axes.transAxes, fontsize=plot.TEXT, color=colour)
        looks = {"lp": ("v", "white", 9, MPLP), "dual": ("x", MPLP, 7, MPLP), "mplp": ("P", MPLP, 7, MPLP),
                 "pmp": ("o", PMP, 8, PMP)}  # fmt: skip
        self.marks = {
            name: axes.plot([], [], mark, markersize=size, markerfacecolor=fill, linestyle="none",
                            markeredgecolor=edge, clip_on=False)[0]
            for name, (mark, fill, size, edge) in looks.items()
        }  # fmt: skip
        self.canvas.moving(*self.marks.values())

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        answers = state.fractions, (state.mplp + 1) / 2, (state.max_product + 1) / 2, (state.exact + 1) / 2
        values = {"lp": state.lp_value, "dual": state.dual, "mplp": state.mplp_score, "pmp": state.max_product_score}
        for name, mark in self.marks.items():
            mark.set_data(np.clip(values[name], -LIMIT, LIMIT), np.arange(self.draws))
        rates = [f"exact in {number} of {self.draws}" for number in state.found]
        below = f"{state.halves:.0f} % halves", *rates, "by enumeration"
        picture = self.canvas.pixels()
        for left, colour, words in zip(PLACES, COLOURS, below, strict=True):
            line = labels.words(words, plot.TEXT, colour, DENSITY)
            middle = round((left + WIDE / 2) * DENSITY - line.shape[1] / 2)
            pixels.paste(picture, line, round((self.bottom + 3) * DENSITY), middle)
        for number, (left, answer) in enumerate(zip(PLACES, answers, strict=True)):
            self._spins(picture, left, answer, answers[-1] if number in (1, 2) else answer)
        return picture

    def _spins(self, picture: pixels.Image, left: float, answer: np.ndarray, exact: np.ndarray) -> None:
        """One panel: a framed row of cells for each draw, with a tick at the state in `exact` where it differs."""
        cell, ticks = cells(len(answer))
        greys = np.rint(255 * (1 - answer[cell])).astype(np.uint8).T  # (draws, columns)
        lines = greys.repeat(3, axis=1).reshape(self.draws, 1, -1, 3)
        strips = lines.repeat(ticks.shape[1], axis=1)
        up, wrong = (values[cell].T[:, None] for values in (exact > 0.5, answer != exact))
        strips[:, :, np.flatnonzero(np.diff(cell)) + 1] = BETWEEN
        strips[np.where(up, *ticks) & wrong] = plot.rgb(plot.WRONG)
        for row, strip in enumerate(pixels.frame(strips)):
            top = round((TOP + row * TALL + GAP / 2) * DENSITY)
            pixels.paste(picture, strip, top - 1, round(left * DENSITY) - 1)


@functools.cache
def cells(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Which spin each column of a strip shows, and the pixels (2, height, width) of the upper and lower ticks.

    An upper tick stands for state 1, as on the rings of a graph.
    """
    width, height = round(WIDE * DENSITY), round((TALL - GAP) * DENSITY)
    cell = np.minimum(np.arange(width) * size // width, size - 1)
    y = np.arange(height)[:, None]
    inside = np.abs(np.arange(width) - (cell + 0.5) * width / size) < 2.2 * DENSITY
    return cell, np.stack([inside & (y < 0.45 * height), inside & (y >= 0.55 * height)])
