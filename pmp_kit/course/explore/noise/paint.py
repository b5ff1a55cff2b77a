"""The picture of the perturbation lab: bars of configurations, and a meter of the bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import plot
from ...plot.pixels import Image
from .compute import State
from .models import MODELS

WIDTH, HEIGHT = 560, 380
METER = (-2.0, 4.0)  # nats shown of E[max] - log Z
ASIDE, ROOM = 0.12, 1.6  # nats: from the error bar to its number, and the width of the number
PMP, EXACT = plot.METHODS["PMP"].colour, plot.METHODS["exact"].colour


class Painter:
    """A figure for each model."""

    def __init__(self):
        self.figures = {
            name: _Figure(model.labels, 1.0 if "variable" in name else 0.65) for name, model in MODELS.items()
        }

    def paint(self, state: State) -> Image:
        """Paint a state."""
        return self.figures[state.model].paint(state)


class _Figure:
    """The figure of one model, in which bars, marks and the needle of the meter change.

    Args:
        labels: names of the model's configurations.
        top: of the axis of probabilities.
    """

    def __init__(self, labels: Sequence[str], top: float):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self._make_bars(labels, top)
        self._make_meter()
        self.canvas.pixels()  # lays out the labels now, which takes longer than all the rest

    def _make_bars(self, labels: Sequence[str], top: float) -> None:
        axes, count = self.canvas.axes(0.075, 0.36, 0.91, 0.55), len(labels)
        axes.set(ylim=(0, top), xlim=(-0.6, count - 0.4))
        narrow = count > 8  # then the spins are written below each other
        names = ["\n".join(label) if narrow else label for label in labels]
        axes.set_xticks(range(count), names, fontsize=plot.TEXT, linespacing=0.7 if narrow else 1.2)
        axes.tick_params(axis="x", length=0)
        wide = 0.6 / (count + 0.2) * axes.bbox.width / self.canvas.density  # 0.6 of a place
        self.shares = axes.vlines([], 0, 0, color=PMP, alpha=0.85, capstyle="butt", linewidth=wide)
        self.errors = axes.vlines([], 0, 0, color="#003F66", linewidth=1.6)
        self.gibbs = axes.hlines([], 0, 0, color=EXACT, linewidth=2.4)
        (self.formula,) = axes.plot([], [], "D", color="white", markeredgecolor=EXACT, markersize=6)
        for place, line, colour in ((0.0, "▬ p(x) of the model", EXACT), (0.30, "■ perturb-and-MAP", PMP)):
            axes.text(place, 1.09, line, transform=axes.transAxes, va="center", fontsize=plot.TEXT, color=colour)
        self.named = axes.text(
            0.58, 1.09, "", transform=axes.transAxes, va="center", fontsize=plot.TEXT, color=plot.INK
        )
        self.canvas.moving(self.shares, self.errors, self.gibbs, self.formula, self.named)

    def _make_meter(self) -> None:
        axes = self.meter = self.canvas.axes(0.075, 0.13, 0.91, 0.085)
        axes.set(xlim=METER, ylim=(-1, 1), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.axvspan(METER[0], 0, color="#F1F1F1", linewidth=0)
        axes.axvline(0, color=EXACT, linewidth=2)
        axes.text(0, 1.25, "log Z", ha="center", fontsize=plot.TEXT, color=EXACT)
        axes.text(METER[0], 1.25, "no bound", fontsize=plot.TEXT, color=plot.QUIET)
        axes.set_xlabel("E[max] − log Z, in nats", fontsize=plot.TEXT, color=plot.INK)
        (self.whisker,) = axes.plot([0, 0], [0, 0], "|-", color=PMP, linewidth=2, markersize=14, markeredgewidth=2)
        (self.needle,) = axes.plot([0], [0], "o", color=PMP, markersize=6)
        self.reading = axes.text(0, 0, "", va="center", fontsize=plot.TEXT, color=PMP)
        self.canvas.moving(self.whisker, self.needle, self.reading)

    def paint(self, state: State) -> Image:
        """Paint a state of this model."""
        spread = 2 * np.sqrt(state.shares * (1 - state.shares) / state.samples)
        self.shares.set_segments([[(i, 0), (i, p)] for i, p in enumerate(state.shares)])
        self.errors.set_segments(
            [[(i, max(p - s, 0)), (i, p + s)] for i, (p, s) in enumerate(zip(state.shares, spread, strict=True))]
        )
        self.gibbs.set_segments([[(i - 0.42, p), (i + 0.42, p)] for i, p in enumerate(state.gibbs)])
        formula = [] if state.formula is None else state.formula
        self.formula.set_data(np.arange(len(formula)), formula)
        self.named.set_text("◇  its formula" if len(formula) else "")
        self._read(state.excess, state.error)
        return self.canvas.pixels()

    def _read(self, excess: float, error: float) -> None:
        """Set the needle, kept on the scale, its error bar, and its number to the right of it and of log Z."""
        at, two = float(np.clip(excess, *METER)), 2 * error
        self.needle.set_xdata([at])
        self.whisker.set_xdata([at - two, at + two])
        room = at < METER[1] - ROOM
        place = max(at + two, 0.0) + ASIDE if room else at - two - ASIDE
        number = f"{excess:+.3f} ± {two:.3f}".replace("-", "−")
        self.reading.set(x=place, ha="left" if room else "right", text=number)
