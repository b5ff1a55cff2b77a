"""The picture of the bound meter: curves over the sweeps, the certified band, error bands, a cursor with numbers."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import labels, pixels
from ...plot.digits import Digits
from ...plot.scales import signed_root, signed_square
from .compute import State

WIDTH, HEIGHT = 620, 420
PMP, QUIET, EXACT = plot.METHODS["PMP"].colour, "#5F5F5F", plot.INK
LOOKS = {
    "dual": (QUIET, "-", 2.0, "MPLP's dual: upper bound"),
    "exact": (EXACT, "--", 1.2, "exact MAP"),
    "primal": (PMP, "-", 2.0, "max-product: PMP's estimate"),
    "lower": (PMP, ":", 2.0, "max-product, noise / n: lower bound"),
    "mplp": (QUIET, ":", 1.6, "MPLP's spins"),
}
LEFT, BOTTOM, WIDE, TALL = 0.085, 0.125, 0.46, 0.80
TICKS = (-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50)
LIMIT = 60.0
APART = 1.9  # of two labels, in roots of nats: each has two lines
SIZE, LINE, RIGHT = (
    plot.TEXT,
    8,
    8,
)  # of the words, in points: their height, half the distance of two lines, from the axes


class Painter:
    """A figure in which curves, bands, cursor and numbers change.

    Args:
        sweeps: length of the axis.
    """

    def __init__(self, sweeps: int):
        self.sweeps = np.arange(1, sweeps + 1)
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        axes = self.axes = self.canvas.axes(LEFT, BOTTOM, WIDE, TALL)
        axes.set_xscale("log")
        axes.set_yscale(**plot.ROOT_SCALE)
        axes.set(xlim=(1, sweeps), ylim=(-LIMIT, LIMIT))
        axes.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
        axes.minorticks_off()
        axes.set_yticks(TICKS, [f"{tick:+d}" if tick else "log Z" for tick in TICKS])
        axes.set_xlabel("sweeps", fontsize=plot.TEXT, color=plot.INK)
        words = "nats from log Z (square-root scale)"
        axes.text(0, 1.03, words, transform=axes.transAxes, fontsize=plot.TEXT, color=plot.INK)
        nothing = np.zeros(sweeps)
        self.certified = axes.fill_between(self.sweeps, nothing, nothing, color="#E9E9E9", linewidth=0)
        self.bands = {
            name: axes.fill_between(self.sweeps, nothing, nothing, color=look[0], alpha=0.22, linewidth=0)
            for name, look in LOOKS.items()
        }
        self.curves = {
            name: axes.plot([], [], look[1], color=look[0], linewidth=look[2])[0] for name, look in LOOKS.items()
        }
        zero = axes.axhline(0, color=EXACT, linewidth=1.6)
        self.cursor = self.canvas.cursor(axes)
        ends = {"linewidth": 2, "markersize": 10, "markeredgewidth": 2, "clip_on": False}
        self.bars = {name: axes.plot([], [], "_-", color=look[0], **ends)[0] for name, look in LOOKS.items()}
        moving = *self.bands.values(), *self.curves.values(), self.cursor, *self.bars.values()
        self.canvas.moving(self.certified, zero, *moving)
        self.names = {name: labels.words(look[3], SIZE, look[0]) for name, look in LOOKS.items()}
        self.digits = Digits(SIZE)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        for name, curve in self.curves.items():
            mean, two = state.means[name], 2 * state.errors[name]
            curve.set_data(self.sweeps, mean)
            self.bands[name].set_data(self.sweeps, mean - two, mean + two)
            value, error = state.at(name)
            self.bars[name].set_data([state.sweeps] * 2, [value - 2 * error, value + 2 * error])
        self.certified.set_data(self.sweeps, state.means["lower"], state.means["dual"])
        self.cursor.set_xdata([state.sweeps] * 2)
        ends = signed_root(np.clip([mean[-1] for mean in state.means.values()], -LIMIT, LIMIT))
        top, picture = np.sqrt(LIMIT), self.canvas.pixels()
        for name, shown in zip(state.means, signed_square(labels.apart(ends, APART, 1.2 - top, top)), strict=True):
            value, error = state.at(name)
            self._write(picture, name, shown, f"{value:+.2f} ± {2 * error:.2f}")
        return picture

    def _write(self, picture: pixels.Image, name: str, height: float, number: str) -> None:
        """Write the name of a curve at its end, above its number."""
        (x, y), scale = self.axes.transData.transform((self.sweeps[-1], height)), self.canvas.density
        left, middle, word = round(x + RIGHT * scale), len(picture) - y, self.names[name]
        pixels.paste(picture, word, round(middle - LINE * scale - len(word) / 2), left)
        self.digits.paste(picture, number, left, middle + LINE * scale, colour=plot.rgb(LOOKS[name][0]))
