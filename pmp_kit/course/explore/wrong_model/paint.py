"""The picture of the wrong-model dial: two curves of KL over one axis of theta, Adam's trail, five pairs of bars."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot.pixels import Image
from .compute import DIAL, STEPS, State

WIDTH, HEIGHT = 620, 440
TOP = 1.0  # nats
PMP, GIBBS, DATA = (plot.METHODS[name].colour for name in ("PMP", "Gibbs", "exact"))
LEFT, SPAN = 0.085, 0.56
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # below text that curves may reach
ASIDE = 0.006  # of the two bars from the place of the dial, on the axis of theta


class Painter:
    """A figure in which curves, bars, marks and the path of Adam change."""

    def __init__(self):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self._make_curves()
        self._make_trail()
        self._make_bars()

    def _make_curves(self) -> None:
        axes = self.canvas.axes(LEFT, 0.40, SPAN, 0.53)
        axes.set_yscale(**plot.ROOT_SCALE)
        axes.set(xlim=(0, DIAL[-1]), ylim=(0, TOP), xticklabels=[])
        axes.set_yticks([0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 1], ["0", "0.01", "0.05", "0.1", "0.2", "0.4", "0.6", "1"])
        axes.text(
            0, 1.035, "KL from the data in nats (root scale, ▲ above 1)", transform=axes.transAxes, **plot.WRITING
        )
        (self.gibbs_curve,) = axes.plot([], [], color=GIBBS, linewidth=2)
        (self.pmp_curve,) = axes.plot([], [], color=PMP, linewidth=2)
        (self.kit_curve,) = axes.plot([], [], color=PMP, linewidth=1.2, linestyle=":")
        stem = {"linewidth": 6, "solid_capstyle": "butt", "clip_on": False}
        self.stems = [axes.plot([], [], color=c, **stem)[0] for c in (GIBBS, PMP)]
        self.higher = [axes.plot([], [], "^", color=c, markersize=8, clip_on=False)[0] for c in (GIBBS, PMP)]
        marks = ("Gibbs", GIBBS), ("PMP", PMP)
        self.points = [
            axes.plot([], [], plot.METHODS[name].mark, color=colour, markersize=8, clip_on=False)[0]
            for name, colour in marks
        ]
        self.dial = self.canvas.cursor(axes, 0.86)
        self.canvas.moving(self.dial, self.gibbs_curve, self.pmp_curve, self.kit_curve, *self.points)
        self.canvas.moving(*self.stems, *self.higher)

    def _make_trail(self) -> None:
        axes = self.canvas.axes(LEFT, 0.115, SPAN, 0.235)
        axes.set(xlim=(0, DIAL[-1]), ylim=(STEPS + 14, 0), yticks=[0, 100, 200])
        axes.set_xlabel("learned theta", **plot.WRITING)
        axes.set_ylabel("Adam's step", **plot.WRITING)
        (self.path,) = axes.plot([], [], color=PMP, linewidth=1.6)
        (self.adam,) = axes.plot([], [], "o", color=PMP, markersize=7, clip_on=False)
        self.best = [axes.axvline(0, color=c, linewidth=1.2, linestyle="--") for c in (GIBBS, PMP)]
        ink = plot.readable(GIBBS), PMP
        self.named = [
            axes.text(0.012, 105 + 55 * row, "", fontsize=plot.TEXT, color=ink[row], bbox=PAPER) for row in (0, 1)
        ]
        self.canvas.moving(*self.best, self.path, self.adam, *self.named)

    def _make_bars(self) -> None:
        axes = self.bars = self.canvas.axes(0.755, 0.115, 0.23, 0.66)
        axes.set(xlim=(0, 1), ylim=(-0.6, 4.6))
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
        axes.set_yticks(range(5), [f"{k} up" for k in range(5)])
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("probability", **plot.WRITING)
        rows = ("▏", DATA), ("■", GIBBS), ("■", PMP)
        self.read = []
        for height, (mark, colour) in zip((1.24, 1.15, 1.06), rows, strict=True):
            axes.text(-0.27, height, mark, transform=axes.transAxes, fontsize=plot.TEXT, color=colour)
            ink = plot.readable(colour)
            self.read.append(axes.text(-0.17, height, "", transform=axes.transAxes, fontsize=plot.TEXT, color=ink))
        self.shares = [axes.hlines([], 0, 0, color=c, linewidth=9, capstyle="butt") for c in (GIBBS, PMP)]
        self.truth = axes.vlines([], 0, 0, color=DATA, linewidth=2.4)
        self.canvas.moving(*self.shares, self.truth, *self.read)

    def paint(self, state: State) -> Image:
        """Paint a state."""
        self._paint_theta(state)
        for bars, side, shares in zip(self.shares, (0.14, -0.14), (state.gibbs, state.pmp), strict=True):
            bars.set_segments([[(0, k + side), (p, k + side)] for k, p in enumerate(shares)])
        self.truth.set_segments([[(p, k - 0.36), (p, k + 0.36)] for k, p in enumerate(state.data)])
        self.read[0].set_text(f"data, theta {state.data_theta:.2f}")
        self.read[1].set_text(f"Gibbs, KL {state.kl_gibbs:.3f}")
        self.read[2].set_text(f"{state.sampler}, KL {state.kl_pmp:.3f}")
        return self.canvas.pixels()

    def _paint_theta(self, state: State) -> None:
        """Draw what has an axis of theta: curves, the bars of the dial, both minima, and the path of Adam."""
        self.gibbs_curve.set_data(DIAL, state.gibbs_curve)
        learned = len(state.path) > 1  # before, the curve and its minimum would answer the question of the page
        self.pmp_curve.set_data([DIAL, state.pmp_curve] if learned else [[], []])
        self.kit_curve.set_data([DIAL, state.kit_curve] if learned and state.kit_curve is not None else [[], []])
        for artist in (self.points[1], self.best[1], self.named[1]):
            artist.set_visible(learned)
        self.dial.set_xdata([state.theta, state.theta])
        bars = (-ASIDE, state.kl_gibbs), (ASIDE, state.kl_pmp)
        for stem, higher, (side, height) in zip(self.stems, self.higher, bars, strict=True):
            stem.set_data([state.theta + side] * 2, [0, min(height, TOP)])
            higher.set_data([state.theta + side], [TOP + 0.03 if height > TOP else np.nan])
        self.points[0].set_data([state.data_theta], [0])
        self.points[1].set_data([state.best], [min(state.pmp_curve.min(), TOP)])
        self.path.set_data(state.path, np.arange(len(state.path)))
        self.adam.set_data(state.path[-1:], [len(state.path) - 1])
        for line, theta in zip(self.best, (state.data_theta, state.best), strict=True):
            line.set_xdata([theta, theta])
        self.named[0].set_text(f"closest Gibbs {state.data_theta:.2f}")
        self.named[1].set_text(f"closest {state.sampler} {state.closest}")
