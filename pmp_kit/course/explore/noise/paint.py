"""The picture of the perturbation lab: shares of configurations, one draw of the noise, and a meter of the bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import plot
from ...plot.pixels import Image
from ..page.still import Boxes
from .compute import State
from .models import MODELS

WIDTH, HEIGHT = 560, 520
LEFT, WIDE = 0.075, 0.91  # of all axes, as shares of the figure
SCORE, NOISE = "#A6A6A6", plot.METHODS["data"].colour
SCALES = (2, 4, 8, 16, 32)  # nats: ends of the axis of one draw
BROAD = 0.36  # half of the width of a column of one draw, in places
METER = (-2.0, 4.0)  # nats shown of the mean of the maxima minus log Z
AROUND = 5  # image pixels of a box around what it is about
PMP, EXACT = plot.METHODS["PMP"].colour, plot.METHODS["exact"].colour


class Painter:
    """A figure for each model."""

    def __init__(self):
        self.figures = {
            name: _Figure(model.labels, 1.0 if "variable" in name else 0.65) for name, model in MODELS.items()
        }

    def paint(self, state: State) -> Image:
        """Paint a state."""
        self._figure = self.figures[state.model]
        return self._figure.paint(state)

    def parts(self) -> Boxes:
        """Return the parts of the state that was painted last."""
        return self._figure.boxes


class _Figure:
    """The figure of one model, in which bars, marks and the needle of the meter change.

    Attributes:
        boxes: the parts of the state that was painted last.

    Args:
        labels: names of the model's configurations.
        top: of the axis of probabilities.
    """

    def __init__(self, labels: Sequence[str], top: float):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self.boxes: Boxes = {}
        self._make_bars(labels, top)
        self._make_draw(len(labels))
        self._make_meter()
        self.canvas.pixels()  # lays out the labels now, which takes longer than all the rest

    def _make_bars(self, labels: Sequence[str], top: float) -> None:
        axes, count = self.canvas.axes(LEFT, 0.57, WIDE, 0.36), len(labels)
        self.bars = axes
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
        self.named = axes.text(0.58, 1.09, "", transform=axes.transAxes, va="center", **plot.WRITING)
        self.canvas.moving(self.shares, self.errors, self.gibbs, self.formula, self.named)

    def _make_draw(self, count: int) -> None:
        axes = self.draw = self.canvas.axes(LEFT, 0.235, WIDE, 0.19)
        axes.set(ylim=(-1.05, 1.25), xlim=(-0.6, count - 0.4), xticks=[], yticks=[])
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.axhline(0, color=plot.FAINT, linewidth=0.8)
        wide = BROAD / (count + 0.2) * axes.bbox.width / self.canvas.density
        self.scores, self.noise = (
            axes.vlines([], 0, 0, color=c, linewidth=wide, capstyle="butt") for c in (SCORE, NOISE)
        )
        self.sums = axes.hlines([], 0, 0, color=plot.INK, linewidth=2)
        (self.maximiser,) = axes.plot([], [], "v", color=PMP, markersize=9)
        head: dict[str, Any] = {"transform": axes.transAxes, "va": "center", **plot.WRITING}
        self.scale = axes.text(0.0, 1.13, "", **head)
        rows = (0.44, "■", SCORE, "score"), (0.57, "■", NOISE, "noise"), (0.70, "▼", PMP, "maximiser")
        for place, mark, colour, word in rows:
            axes.text(place, 1.13, mark, **{**head, "color": colour})
            axes.text(place + 0.035, 1.13, word, **head)
        self.canvas.moving(self.scores, self.noise, self.sums, self.maximiser, self.scale)

    def _make_meter(self) -> None:
        axes = self.meter = self.canvas.axes(LEFT, 0.1, WIDE, 0.06)
        axes.set(xlim=METER, ylim=(-1, 1), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.axvspan(METER[0], 0, color="#F1F1F1", linewidth=0)
        axes.axvline(0, color=EXACT, linewidth=2)
        axes.text(0, 1.35, "log Z", ha="center", fontsize=plot.TEXT, color=EXACT)
        axes.text(METER[0], 1.35, "no bound", fontsize=plot.TEXT, color=plot.QUIET)
        axes.set_xlabel("mean of the maxima − log Z, in nats", **plot.WRITING)
        (self.whisker,) = axes.plot([0, 0], [0, 0], "|-", color=PMP, linewidth=2, markersize=14, markeredgewidth=2)
        (self.needle,) = axes.plot([0], [0], "o", color=PMP, clip_on=False)
        self.reading = axes.text(METER[1], 1.35, "", ha="right", fontsize=plot.TEXT, color=PMP)
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
        self.named.set_text("◇  exact shares" if len(formula) else "")
        self._read(state.excess, state.error)
        self._show_draw(state)
        self.boxes = self._find_boxes(state)
        return self.canvas.pixels()

    def _show_draw(self, state: State) -> None:
        """Set one column for each configuration: its score, the noise on top of it, and a line at the sum."""
        sums = state.scores + state.added
        reach = next((scale for scale in SCALES if max(abs(state.scores).max(), abs(sums).max()) <= scale), SCALES[-1])
        half = 0.5 * BROAD
        self.scores.set_segments([[(k - half, 0), (k - half, s / reach)] for k, s in enumerate(state.scores)])
        ends = zip(state.scores / reach, sums / reach, strict=True)
        self.noise.set_segments([[(k + half, low), (k + half, high)] for k, (low, high) in enumerate(ends)])
        self.sums.set_segments([[(k - BROAD, s / reach), (k + BROAD, s / reach)] for k, s in enumerate(sums)])
        best = int(sums.argmax())
        self.maximiser.set_data([best], [sums[best] / reach + 0.14])
        self.scale.set_text(f"the first draw, −{reach} to +{reach} nats")

    def _find_boxes(self, state: State) -> Boxes:
        """Return the boxes that an equation lights up: bars, columns, and the marks of the meter."""
        scores, noise = (collection.get_segments() for collection in (self.scores, self.noise))
        best, half = int((state.scores + state.added).argmax()), 0.5 * BROAD
        heights = 0.0, *noise[best][:, 1]  # of the column of the maximiser
        (left, _), (right, _) = np.asarray(self.whisker.get_xydata())
        return {
            "shares": [self._box(self.bars, k - 0.3, 0, k + 0.3, p) for k, p in enumerate(state.shares)],
            "score": [self._box(self.draw, x - half, 0, x + half, y) for (x, _), (_, y) in scores],
            "noise": [self._box(self.draw, x - half, y, x + half, end) for (x, y), (_, end) in noise],
            "maximiser": [self._box(self.draw, best - BROAD, min(heights), best + BROAD, max(heights) + 0.25)],
            "mean": [self._box(self.meter, left, -0.8, right, 0.8)],
            "partition": [self._box(self.meter, 0, -1, 0, 1)],
        }

    def _box(self, axes, left, bottom, right, top) -> tuple[int, int, int, int]:
        """Return a box of an axes, a few pixels larger, in image pixels: left, top, width, height."""
        (x, y), (end, up) = axes.transData.transform([(left, min(bottom, top)), (right, max(bottom, top))])
        height = HEIGHT * self.canvas.density
        return round(x - AROUND), round(height - up - AROUND), round(end - x + 2 * AROUND), round(up - y + 2 * AROUND)

    def _read(self, excess: float, error: float) -> None:
        """Set the needle, its error bar, and its number. Beyond the scale, the needle is an arrow at its end."""
        at, two = float(np.clip(excess, *METER)), 2 * error
        self.needle.set_xdata([at])
        shape = "<" if excess < at else ">" if excess > at else "o"
        self.needle.set(marker=shape, markersize=6 if shape == "o" else 10)
        self.whisker.set_visible(shape == "o")
        self.whisker.set_xdata([at - two, at + two])
        self.reading.set_text(f"{excess:+.3f} ± {two:.3f}".replace("-", "−"))
