"""The picture of the race: five sheets of samples over the curves of their distance from exact samples."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import numerals, pixels
from ..shared import grid
from .compute import METHODS, SHORT, SIDE, SWEEPS, State

WIDTH, HEIGHT = 640, 450
DENSITY = 1.5
AXES = {"MMD": ((-3.0, 65.0), (0, 1, 5, 10, 20, 40, 60)), "energy": ((-0.15, 2.7), (-0.1, 0, 0.1, 0.5, 1, 2))}
WORDS = {
    "MMD": "MMD² to exact samples, in standard deviations of a perfect sampler (square-root scale)",
    "energy": "mean energy of a spin minus the exact one, in nats (square-root scale)",
}
LEFT, SHEET, GAP, TOP = 8, 118, 9, 42  # of the sheets, in pixels of the page
CHAIN_CELL, CELL, BETWEEN = (3, 4), 4, 4  # image pixels: a spin in a column, in a small square, between squares
ORDER = grid.snake(SIDE)[0]


def sheet(samples: np.ndarray, model: str) -> pixels.Image:
    """Draw samples (N, 64): of a chain as columns, of a lattice as squares in rows; black is up."""
    side = int(SHEET * DENSITY)
    if model == "long chain":
        shown = samples[: side // CHAIN_CELL[1], ORDER].T
        ink = shown.repeat(CHAIN_CELL[0], 0).repeat(CHAIN_CELL[1], 1)
        return pixels.grey(np.where(ink, pixels.BLACK, 235).astype(np.uint8))
    count = (side + BETWEEN) // (CELL * SIDE + BETWEEN)
    squares = samples[: count * count].reshape(-1, SIDE, SIDE)
    ink = squares.repeat(CELL, 1).repeat(CELL, 2)
    images = np.where(ink, pixels.BLACK, 225).astype(np.uint8)[..., None].repeat(3, -1)
    return pixels.mosaic(images, count, BETWEEN)


class Painter:
    """A figure for each measure, in which lines, marks and the cursor change; sheets and numbers are pasted."""

    def __init__(self):
        self.panels = {measure: _Panel(measure) for measure in AXES}

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        picture = self.panels[state.measure].paint(state)
        sheets = [state.exact, *state.samples]
        for number, samples in enumerate(sheets):
            left = round((LEFT + number * (SHEET + GAP)) * DENSITY)
            pixels.paste(picture, sheet(samples, state.model), round(TOP * DENSITY), left)
        form = "{:.1f}" if state.measure == "MMD" else "{:.3f}"
        for number, (used, value) in enumerate(zip(state.used, state.values, strict=True), 1):
            right = (LEFT + number * (SHEET + GAP) + 22) * DENSITY
            numerals.paste(picture, str(used), right, 29.5 * DENSITY, align=1.0, colour=0x33)
            right = (LEFT + number * (SHEET + GAP) + 42) * DENSITY
            numerals.paste(picture, form.format(value + 0.0), right, (TOP + 141) * DENSITY, align=1.0, colour=0x33)
        return picture


class _Panel:
    """The curves of one measure, and the words around the sheets."""

    def __init__(self, measure: str):
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        limits, ticks = AXES[measure]
        axes = self.canvas.axes(0.075, 0.105, 0.905, 0.375)
        axes.set_xscale("function", functions=(np.log1p, np.expm1))
        axes.set_yscale(**plot.ROOT_SCALE)
        axes.set(xlim=(0, SWEEPS[-1]), ylim=limits)
        axes.set_xticks([0, 1, 2, 4, 8, 16, 32, 64], ["0", "1", "2", "4", "8", "16", "32", "64"])
        axes.set_yticks(ticks, [f"{tick:g}".replace("-", "−") for tick in ticks])
        axes.minorticks_off()
        axes.text(0, 1.03, WORDS[measure], transform=axes.transAxes, **plot.WRITING)
        self.band = axes.axhspan(0, 0, color="#E4E4E4", linewidth=0)
        self.zero = axes.axhline(0, color=plot.METHODS["exact"].colour, linewidth=1.2)
        self.cursor = self.canvas.cursor(axes)
        looks = [plot.METHODS[name] for name in METHODS]
        self.lines = [axes.plot([], [], color=look.colour, linewidth=1.8)[0] for look in looks]
        self.points = [
            axes.plot([], [], look.mark, color=look.colour, markersize=9, markeredgecolor="white", clip_on=False)[0]
            for look in looks
        ]
        self.axis = axes.text(0.5, -0.2, "", transform=axes.transAxes, **plot.WRITING, ha="center")
        self._name_sheets("sd" if measure == "MMD" else "nats")
        self.canvas.moving(self.band, self.zero, self.cursor, *self.lines, *self.points, self.axis)

    def _name_sheets(self, unit: str) -> None:
        """Write the names over the sheets and the words beside the numbers."""
        write = self.canvas.write
        write(LEFT, 18, "exact samples", color=plot.METHODS["exact"].colour)
        for number, name in enumerate(METHODS, 1):
            look = plot.METHODS[name]
            words = f"{plot.SYMBOLS[look.mark]} {SHORT.get(name, name)}"
            left = LEFT + number * (SHEET + GAP)
            write(left, 18, words, color=plot.readable(look.colour))
            write(left + 26, 34, "sweeps")
            write(left + 46, TOP + 145, f"{unit} off")

    def paint(self, state: State) -> pixels.Image:
        """Draw curves, marks and cursor."""
        self.band.set_y(-2 * state.band)
        self.band.set_height(4 * state.band)
        self.cursor.set_xdata([state.sweeps] * 2)
        for k, (line, point) in enumerate(zip(self.lines, self.points, strict=True)):
            line.set_data(state.places[k], state.curves[k])
            point.set_data([state.places[k, state.rows[k]]], [state.values[k]])
        clock = "time for each sample, in sweeps of PMP: those are as many as the slider says"
        self.axis.set_text("sweeps" if state.budget == "sweeps" else clock)
        return self.canvas.pixels()
