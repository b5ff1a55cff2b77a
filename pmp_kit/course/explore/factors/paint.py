"""The picture of the factor bench: two bars and a line for each variable, and two curves of time."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot.pixels import Image
from .compute import MOST, POTTS, State
from .timing import Curve

WIDTH, HEIGHT = 600, 470
TOP, ROOM = 8.5, 10.6  # nats: where bars are cut off, and the end of the axis
CERTAIN = 900.0  # nats
FORMULA, TRIED = plot.METHODS["PMP"].colour, plot.METHODS["exact"].colour
INCOMING = "#9A9A9A"


class Painter:
    """A figure in which bars, lines, names and the mark of n change.

    Args:
        tried, formula: the times that `timing.measured` returns.
    """

    def __init__(self, tried: Curve, formula: Curve):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self._make_bars()
        self._make_times(tried, formula)

    def _make_bars(self) -> None:
        axes = self.canvas.axes(0.085, 0.50, 0.90, 0.41)
        axes.set(ylim=(-ROOM, ROOM), xlim=(-0.6, MOST - 0.4), xticks=[], yticks=[-6, -3, 0, 3, 6])
        axes.spines["bottom"].set_visible(False)
        axes.axhline(0, color=plot.FAINT, linewidth=0.8)
        heads = (
            (0.0, "■ comes in", plot.QUIET),
            (0.2, "■ goes out: formula", FORMULA),
            (0.53, "▬ everything tried", TRIED),
        )
        for place, words, colour in heads:
            axes.text(place, 1.08, words, transform=axes.transAxes, fontsize=plot.TEXT, color=colour)
        axes.text(1, 1.08, "nats", transform=axes.transAxes, fontsize=plot.TEXT, color=plot.QUIET, ha="right")
        self.incoming = axes.vlines([], 0, 0, color=INCOMING, linewidth=15, capstyle="butt")
        self.outgoing = axes.vlines([], 0, 0, color=FORMULA, linewidth=22, alpha=0.85, capstyle="butt")
        self.truth = axes.hlines([], 0, 0, color=TRIED, linewidth=2.6)
        names = [axes.text(0, -ROOM, "", ha="center", va="top", **plot.WRITING) for _ in range(MOST)]
        values = [axes.text(0, 0, "", ha="center", fontsize=plot.TEXT, color=FORMULA) for _ in range(MOST)]
        self.names, self.values = names, values
        self.canvas.moving(self.incoming, self.outgoing, self.truth, *names, *values)

    def _make_times(self, tried: Curve, formula: Curve) -> None:
        axes = self.canvas.axes(0.085, 0.125, 0.90, 0.25)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set(xlim=(1.6, 6000), ylim=(0.004, 3000))
        axes.set_yticks([0.01, 1, 100], ["0.01", "1", "100"])
        sizes = 2, 4, 8, 16, 64, 256, 1024, 4096
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.set_xlabel("variables n", **plot.WRITING)
        words = "milliseconds for all messages of an “exactly k”, k = n / 2, measured here"
        axes.text(0, 1.07, words, transform=axes.transAxes, **plot.WRITING)
        axes.plot(tried.variables, tried.milliseconds, "_-", color=TRIED, linewidth=1.6, markersize=9)
        further = np.array([tried.variables[-1], tried.variables[-1] + 9])
        axes.plot(further, tried.milliseconds[-1] * 2.0 ** (further - further[0]), ":", color=TRIED, linewidth=1.4)
        axes.text(
            further[-1], 200, f" 2ⁿ configurations,\n measured to n = {further[0]}", fontsize=plot.TEXT, color=TRIED
        )
        axes.plot(formula.variables, formula.milliseconds, "o-", color=FORMULA, linewidth=1.8, markersize=6)
        axes.text(150, 2.5 * max(formula.milliseconds), "formula: one sort", fontsize=plot.TEXT, color=FORMULA)
        self.here = self.canvas.cursor(axes)
        self.canvas.moving(self.here)

    def paint(self, state: State) -> Image:
        """Paint a state."""
        n = len(state.incoming)
        place = (np.arange(n) + 0.5) * MOST / n - 0.5
        shown = state.formula.clip(-TOP, TOP)
        self.incoming.set_segments([[(p - 0.2, 0), (p - 0.2, v)] for p, v in zip(place, state.incoming, strict=True)])
        self.outgoing.set_segments([[(p + 0.14, 0), (p + 0.14, v)] for p, v in zip(place, shown, strict=True)])
        tried = state.tried.clip(-TOP, TOP)
        self.truth.set_segments([[(p - 0.06, v), (p + 0.34, v)] for p, v in zip(place, tried, strict=True)])
        for number, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            name.set_text(_name(state.factor, number, n) if number < n else "")
            value.set_text(_words(state.formula[number]) if number < n else "")
            if number < n:
                name.set_x(place[number])
                up = shown[number] >= 0
                value.set(
                    x=place[number] + 0.14, y=shown[number] + (0.35 if up else -0.35), va="bottom" if up else "top"
                )
        self.here.set_xdata([n, n])
        return self.canvas.pixels()


def _name(factor: str, number: int, n: int) -> str:
    if factor == POTTS:
        return f"state {number + 1}"
    if factor in ("OR", "AND"):
        return "output" if number == n - 1 else f"input {number + 1}"
    return f"x{number + 1}"


def _words(message: float) -> str:
    if abs(message) > CERTAIN:
        return "must be 1" if message > 0 else "must be 0"
    return f"{message:+.1f}".replace("-", "−") if abs(message) >= 0.05 else "0"
