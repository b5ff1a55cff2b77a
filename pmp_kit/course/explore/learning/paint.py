"""The picture of the training camera: moments of data and model, the gap between them, samples, and all weights."""

from __future__ import annotations

import itertools

import numpy as np

from ... import plot
from ...plot import numerals, pixels
from ..page.still import Boxes
from .compute import State

WIDTH, HEIGHT, DENSITY = 620, 440, 1.5
SIDE, GAP = 5, 6  # samples in a row and in a column; image pixels between them
RIGHT, TOP, LOWER = 598, 36, 354  # image pixels: where the pictures at the right begin
FIELD = 300  # image pixels: about the width of the pictures at the right
DARKEST = 194  # image pixels: from the left of the words above the weights to the number that ends them
UNDER, ASIDE = 44, 58  # CSS pixels: of the numbers and the name below the dots, and at their left
DEEPEST = 0.003  # the lowest gap on the axis


class Painter:
    """A figure of the moments and the gap; pictures are pasted at its right.

    Args:
        data_pairs: E[x_i x_j] of the data, (pairs,).
        floor: the expected gap with exact samples.
        steps: where the axis of steps ends.
        shape: of an image.
    """

    def __init__(self, data_pairs: np.ndarray, floor: float, steps: int, shape: tuple[int, int]):
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        self._shape, self._data_pairs = shape, data_pairs
        self._cell = max(1, FIELD // shape[1] ** 2)  # image pixels of a weight
        self._pixel = (FIELD // SIDE - GAP) // shape[1]  # image pixels of a pixel of a sample
        self._sheet = [SIDE * (self._pixel * side + 2 + GAP) - GAP for side in shape[::-1]]  # width and height
        self._make_moments()
        self._make_gap(floor, steps)
        for top, line in {TOP: "samples of the model", LOWER: "weights, darkest: ±"}.items():
            self.canvas.write(RIGHT / DENSITY, (top - 11) / DENSITY, line)

    def _make_moments(self) -> None:
        axes = self.moments = self.canvas.axes(0.1, 0.46, 0.505, 0.47)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        axes.set_xlabel("both pixels on: share of the data", **plot.WRITING)
        axes.set_ylabel("share of the samples", **plot.WRITING)
        axes.plot([0, 1], [0, 1], color=plot.FAINT, linewidth=1)
        axes.text(0.0, 1.06, "each dot: a pair of pixels", **plot.WRITING)
        (self.dots,) = axes.plot([], [], "o", markersize=2.6, alpha=0.5, markeredgewidth=0)
        self.canvas.moving(self.dots)

    def _make_gap(self, floor: float, steps: int) -> None:
        from matplotlib.collections import LineCollection

        axes = self.canvas.axes(0.1, 0.115, 0.505, 0.22)
        axes.set_yscale("log")
        axes.set(xlim=(0, steps), ylim=(DEEPEST, 0.5))
        axes.set_yticks([0.01, 0.1], ["0.01", "0.1"])
        axes.minorticks_off()
        axes.set_xlabel("step of learning", **plot.WRITING)
        axes.set_ylabel("moment gap", **plot.WRITING)
        axes.axhline(floor, color=plot.FAINT, linewidth=1, linestyle="--")
        axes.text(steps, floor * 0.9, "gap by chance", **plot.WRITING, ha="right", va="top")
        axes.text(steps, 0.45, "line: learning, mark: samples above", **plot.WRITING, ha="right", va="top")
        self.gap = LineCollection([], linewidths=1.2)
        axes.add_collection(self.gap, autolim=False)
        (self.mark,) = axes.plot([], [], linestyle="", markersize=8, clip_on=False)
        self.canvas.moving(self.gap, self.mark)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        self.dots.set_data(self._data_pairs, state.pairs)
        self.dots.set_color(plot.METHODS[state.sampler].colour)
        self._draw_gap(state)
        picture = self.canvas.pixels()
        pixels.paste(picture, pixels.sheet(state.samples[: SIDE * SIDE], self._pixel, SIDE, GAP), TOP, RIGHT)
        limit = max(float(np.abs(state.weight).max()), 1e-3)
        numerals.paste(picture, f"{limit:.2f}", RIGHT + DARKEST, LOWER - 18)
        pixels.paste(picture, pixels.frame(self._weights(state.weight, limit)), LOWER, RIGHT)
        return picture

    def _draw_gap(self, state: State) -> None:
        """Draw the gaps of the steps in the colours of their samplers, and the gap of the samples that are shown."""
        style = plot.METHODS[state.sampler]
        self.mark.set_data([state.step], [max(state.gap, DEEPEST)])
        self.mark.set(color=style.colour, marker=style.mark)
        points = np.stack([np.arange(1, len(state.gaps) + 1), np.maximum(state.gaps, DEEPEST)], 1)
        ends = np.cumsum([0, *(steps for *_, steps in state.taken)])
        self.gap.set_segments([points[max(start - 1, 0) : end] for start, end in itertools.pairwise(ends)])
        self.gap.set_color([plot.METHODS[name].colour for name, *_ in state.taken])

    def _weights(self, weight: np.ndarray, limit: float) -> pixels.Image:
        """Draw the weights of every pixel to all others as a small picture, at the place of the pixel."""
        height, width = self._shape
        blocks = weight.reshape(height, width, height, width).swapaxes(1, 2).reshape(height * height, width * width)
        return pixels.messages(blocks, self._cell, limit)

    def parts(self) -> Boxes:
        """Return what an equation of the gradient lights up: both axes of the dots, the samples, and the dots."""
        x, y, wide, high = (round(value) for value in self.moments.bbox.bounds)
        top = round(HEIGHT * DENSITY) - y - high
        below, beside = round(UNDER * DENSITY), round(ASIDE * DENSITY)
        return {
            "data": [(x, top + high, wide, below)],
            "samples": [(x - beside, top, beside, high), (RIGHT - 2, TOP - 2, self._sheet[0] + 4, self._sheet[1] + 4)],
            "difference": [(x, top, wide, high)],
        }

    def blocks(self) -> dict[str, int]:
        """Return where the blocks of the weights are: the grid of `Told`."""
        rows, columns = self._shape
        wide, high = columns * self._cell, rows * self._cell
        return {"left": RIGHT + 1, "top": LOWER + 1, "wide": wide, "high": high, "rows": rows, "columns": columns}

    def sentences(self) -> list[str]:
        """Return what each block is, row by row."""
        return [
            f"Weights of the pixel in row {row + 1}, column {column + 1} to all others, each at its own place: purple "
            "attracts, orange repels."
            for row, column in np.ndindex(self._shape)
        ]
