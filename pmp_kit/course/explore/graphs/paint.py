"""The picture of the graph lab: quality and RMSE over sweeps or seconds, and learned couplings over true ones."""

from __future__ import annotations

from ... import plot
from ...experiments.graphs.figures import SHORT
from ...experiments.graphs.lab import SWEEPS, load
from ...experiments.graphs.learn import GRAPHS, METHODS
from ...plot.pixels import Image
from .compute import BUDGETS, State

WIDTH, HEIGHT = 640, 440
LEFT, SPAN = 0.085, 0.43
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}  # below text that the line of the slider may reach
SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)  # ticks, where they are on the axis
DEVIATIONS = (0, 2, 10, 30), (0, 10, 30, 100, 300)  # ticks of a low axis, and of a high one
REACH = {GRAPHS[0]: 0.16, GRAPHS[1]: 1.6}
"""Largest |W| that is drawn."""


class Curves:
    """Three methods on one pair of axes, with bands of a standard error, and a line at the place that is looked at."""

    def __init__(self, axes):
        self.axes = axes
        style = [plot.METHODS[name] for name in METHODS]
        self.lines = [axes.plot([], [], s.mark + "-", color=s.colour, markersize=5, linewidth=1.8)[0] for s in style]
        self.bars = [axes.vlines([], 0, 0, color=s.colour, linewidth=5, alpha=0.3) for s in style]
        self.here = plot.Canvas.cursor(axes)
        self.moving = [self.here, *self.bars, *self.lines]

    def show(self, x, y, error, at) -> None:
        """Set the numbers; each array is (methods, sweeps)."""
        for line, bar, places, values, wide in zip(self.lines, self.bars, x, y, error, strict=True):
            line.set_data(places, values)
            bar.set_segments([[(p, v - e), (p, v + e)] for p, v, e in zip(places, values, wide, strict=True)])
        self.here.set_xdata([x[at]] * 2)


class Painter:
    """A figure for each graph and budget, because their axes differ."""

    def __init__(self):
        self.figures = {(graph, budget): Page(graph, budget) for graph in GRAPHS for budget in BUDGETS}

    def paint(self, state: State) -> Image:
        """Paint a state."""
        return self.figures[state.graph, state.budget].paint(state)


class Page:
    """The figure of one graph and budget."""

    def __init__(self, graph: str, budget: str):
        table, g = load(), GRAPHS.index(graph)
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self.quality = Curves(self.canvas.axes(LEFT, 0.55, SPAN, 0.35))
        self.rmse = Curves(self.canvas.axes(LEFT, 0.12, SPAN, 0.30))
        seconds = table["seconds"][g].min(-1)
        limits = (
            (SWEEPS[0] / 1.3, SWEEPS[-1] * 1.3) if budget == "sweeps" else (seconds.min() / 1.3, seconds.max() * 1.3)
        )
        for curves in (self.quality, self.rmse):
            curves.axes.set_xscale("log")
            curves.axes.set_xlim(*limits)
            ticks = SWEEPS if budget == "sweeps" else [t for t in SECONDS if limits[0] < t < limits[1]]
            curves.axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            curves.axes.minorticks_off()
        words = "sweeps, to learn and to draw" if budget == "sweeps" else "processor seconds, to learn and to draw"
        self.rmse.axes.set_xlabel(words, **plot.WRITING)
        top = max(table["sigmas"][g].max(), table[f"beside {graph}"].max()) * 1.5
        axes = self.quality.axes
        axes.set_yscale(**plot.ROOT_SCALE)
        axes.set(ylim=(-3, top), yticks=[t for t in DEVIATIONS[int(top > 60)] if t < top])
        axes.axhspan(-2, 2, color=plot.METHODS["data"].colour, alpha=0.25, linewidth=0)
        head = "samples: MMD² from new data, in sd of a perfect sampler"
        axes.text(0, 1.07, head, transform=axes.transAxes, **plot.WRITING)
        self.pixels = axes.axhline(0, color=plot.QUIET, linestyle=":", linewidth=1.4)
        above = {"xytext": (-4, 5), "textcoords": "offset points", "ha": "right", "va": "bottom", "bbox": PAPER}
        self.named = axes.annotate("no structure", (limits[1], 0), fontsize=plot.TEXT, color=plot.QUIET, **above)
        axes = self.rmse.axes
        low, high = table["rmse"][g].min(), table["rmse"][g].max()
        axes.set_ylim(low - 0.25 * (high - low), high + 0.2 * (high - low))  # from 0 on, the curves would coincide
        axes.text(0, 1.06, "couplings: RMSE of W, axis not from 0", transform=axes.transAxes, **plot.WRITING)
        self._make_pairs(graph)
        moving = [self.pixels, *self.quality.moving, *self.rmse.moving, self.named]
        self.canvas.moving(*moving, self.dots, self.head, *self.texts)
        self.canvas.pixels()  # draws the background now, so that no control has to wait for it

    def _make_pairs(self, graph: str) -> None:
        """The learned couplings over the true ones."""
        axes, reach = self.canvas.axes(0.63, 0.12, 0.36, 0.52), REACH[graph]
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
        axes.plot([-reach, reach], [-reach, reach], color=plot.FAINT, linewidth=1)
        axes.set_xlabel("true W", **plot.WRITING)
        axes.text(0, 1.03, "learned W", transform=axes.transAxes, **plot.WRITING)
        (self.dots,) = axes.plot([], [], "o", markersize=3.5, alpha=0.5, markeredgewidth=0)
        self.head = axes.text(1, 1.03, "", transform=axes.transAxes, fontsize=plot.TEXT, ha="right")
        self.texts = []
        for row, name in enumerate(METHODS):
            look = plot.METHODS[name]
            place = {"transform": axes.transAxes, "fontsize": plot.TEXT, "color": plot.readable(look.colour)}
            axes.text(0, 1.42 - 0.1 * row, plot.SYMBOLS[look.mark], **place)
            self.texts.append(axes.text(0.08, 1.42 - 0.1 * row, "", **place))

    def paint(self, state: State) -> Image:
        """Paint a state of this graph and budget."""
        at = state.method, state.place
        self.quality.show(state.budgets, state.quality, state.quality_error, at)
        self.rmse.show(state.budgets, state.rmse, state.rmse_error, at)
        self.pixels.set_ydata([state.pixels, state.pixels])
        self.named.xy = self.named.xy[0], state.pixels
        self.dots.set_data(state.true, state.learned)
        name = METHODS[state.method]
        colour = plot.METHODS[name].colour
        self.dots.set_color(colour)
        self.head.set_text(f"{SHORT[name]}, {SWEEPS[state.place]} sweeps")
        self.head.set_color(plot.readable(colour))
        for k, (words, name) in enumerate(zip(self.texts, METHODS, strict=True)):
            far, wrong = state.quality[k, state.place], state.rmse[k, state.place]
            words.set_text(f"{SHORT[name]}: {far:.1f} sd, RMSE {wrong:.3f}")
        return self.canvas.pixels()
