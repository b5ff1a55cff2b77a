"""The picture of the RBM studio: a sheet of samples, the curves of Figure 3, and bars for the ten digits."""

from __future__ import annotations

import numpy as np

from pmp_kit.course import plot
from pmp_kit.course.experiments.rbm.learn import METHODS

from ...plot import pixels as painters
from .compute import SHOWN

WIDTH, HEIGHT, DENSITY = 640, 366, 1.5
COLUMNS = 5
CELL, GAP = 6, 6  # image pixels: a pixel of a sample, the space between samples
TOP, LEFT = 46, 3
SCALE = 1  # number of the kernel's scale in the panel: 10
ENOUGH = 0.02  # share of a digit that counts as present
BLOCK = plot.METHODS["block Gibbs"]
STYLES = {
    "PMP": plot.METHODS["PMP"],
    "Gibbs-reset": plot.METHODS["Gibbs"],
    "PCD-1": plot.Style(BLOCK.colour, "d", ":"),
    "PCD-1 constant": plot.Style(BLOCK.colour, "X", "-."),
    "PCD-100": BLOCK,
}
DEEP = {"Gibbs-reset": "#A86B00"}  # the same orange, dark enough for text


class StudioPainter:
    """A kept figure, in which one curve, one mark and ten bars move; the digits are pasted beside it."""

    def __init__(self, stored: dict[str, np.ndarray]):
        self.stored = stored
        self.canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        self._make_curves()
        self._make_bars()
        place = LEFT / WIDTH / DENSITY, 1 - 30 / HEIGHT / DENSITY
        self.head = self.curves.text(*place, "", transform=self.canvas.figure.transFigure, fontsize=12, color=plot.INK)
        self.canvas.moving(self.head)

    def _make_curves(self) -> None:
        axes = self.curves = self.canvas.axes(0.60, 0.555, 0.225, 0.345)
        curves(axes, self.stored)
        axes.text(-0.17, 1.12, "MMD² from digits kept out", transform=axes.transAxes, fontsize=12, color=plot.INK)
        (self.now,) = axes.plot([], [], linewidth=3)
        (self.mark,) = axes.plot([], [], "o", markersize=8, markeredgecolor=plot.INK, clip_on=False)
        self.canvas.moving(self.now, self.mark)

    def _make_bars(self) -> None:
        axes = self.bars = self.canvas.axes(0.60, 0.11, 0.38, 0.23)
        axes.set(xlim=(-0.6, 9.6), ylim=(0, 1), xticks=range(10))
        axes.set_yticks([0, 0.5, 1], ["0", "50", "100 %"])
        axes.text(-0.10, 1.13, "share of each digit", transform=axes.transAxes, fontsize=12, color=plot.INK)
        axes.axhline(0.1, color=plot.QUIET, linewidth=0.8, linestyle="--")
        self.heights = axes.bar(range(10), np.zeros(10), width=0.75)
        self.canvas.moving(*self.heights)

    def paint(self, state) -> painters.Image:
        """The picture of a StudioState."""
        style = STYLES[state.method]
        here, stage = METHODS.index(state.method), self.stored["sweeps"].tolist().index(state.sweeps)
        score = height(self.stored["u"][here, :, SCALE])
        self.now.set_data(self.stored["sweeps"], score)
        self.mark.set_data([state.sweeps], [score[stage]])
        self.mark.set_visible(not state.painted)
        self.mark.set_marker(style.mark)
        for artist in (self.now, self.mark):
            artist.set_color(style.colour)
        for bar, share in zip(self.heights, state.shares, strict=True):
            bar.set(height=share, color=style.colour, alpha=1.0 if share >= ENOUGH else 0.35)
        self.head.set_text(f"{state.method}: " + ("completions" if state.painted else f"{SHOWN} samples"))
        sheet = self.canvas.pixels()
        painters.paste(sheet, _digits(state), TOP, LEFT)
        return sheet


def _digits(state) -> painters.Image:
    """The samples in a square; the ink that was painted is outlined."""
    return sheet(state.images, CELL, COLUMNS, state.evidence == 1)


def sheet(images: np.ndarray, cell: int, columns: int, outlined: np.ndarray | None = None) -> painters.Image:
    """Images (count, h, w) in rows of so many; `outlined`: pixels (h, w) to draw a line around."""
    count, side, _ = images.shape
    tiles = painters.states(images.reshape(count * side, side), cell).reshape(count, side * cell, -1, 3)
    if outlined is not None:
        tiles[:, painters.boundary(outlined, cell, 1)] = plot.rgb(painters.OUTLINE)
    return painters.mosaic(painters.frame(tiles), columns, GAP)


def height(u: np.ndarray) -> np.ndarray:
    """MMD^2 as it is drawn on a logarithmic axis: what is no larger than zero lies at the bottom."""
    return np.maximum(u, 1e-4)


def curves(axes, table: dict[str, np.ndarray], scale: int = SCALE, size: int = 11) -> None:
    """Figure 3, left: MMD^2 of each method against the sweeps of the sampler, between two grey bounds.

    Args:
        table: "sweeps" (S,), "u", "null" (methods, S, scales), "floor pixels u", "floor real null" (scales,).
    """
    sweeps, ends = table["sweeps"], []
    axes.set(xscale="log", yscale="log", xlim=(sweeps[0], sweeps[-1]))
    for method, rows, spread in zip(METHODS, table["u"][..., scale], table["null"][..., scale], strict=True):
        style = STYLES[method]
        axes.plot(sweeps, height(rows), style.line, color=style.colour, linewidth=1.6)
        band = height(rows - 2 * spread), height(rows + 2 * spread)
        axes.fill_between(sweeps, *band, color=style.colour, alpha=0.15, linewidth=0)
        ends.append((float(height(rows)[-1]), method, DEEP.get(method, style.colour)))
    pixels, floor = float(table["floor pixels u"][scale]), 2 * float(table["floor real null"][scale])
    axes.axhline(pixels, color=plot.QUIET, linewidth=1, linestyle="--")
    axes.axhspan(axes.get_ylim()[0], floor, color=plot.FAINT, alpha=0.5, linewidth=0)
    ends += [(pixels, "pixels alone", plot.QUIET), (floor, "real digits", plot.QUIET)]
    label_ends(axes, ends, size)
    axes.set_xlabel("sweeps", fontsize=size + 1, color=plot.INK)


def label_ends(axes, ends: list[tuple[float, str, str]], size: int) -> None:
    """Names at the right end of curves on a logarithmic axis, moved apart where they would touch."""
    low, high = np.log(axes.get_ylim())
    places = {name: (np.log(value) - low) / (high - low) for value, name, _ in ends}
    step, last = 0.11, -1.0
    for _, name, colour in sorted(ends):
        last = max(places[name], last + step)
        axes.text(1.03, last, name, transform=axes.transAxes, fontsize=size, color=colour, va="center")
