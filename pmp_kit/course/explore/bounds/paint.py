"""The picture of the bound meter: curves over the sweeps, the band of the bounds, error bands, a cursor, numbers."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import labels, numerals, pixels
from ...plot.scales import signed_root, signed_square
from .compute import State

WIDTH, HEIGHT = 620, 420
PMP, MPLP, EXACT = plot.METHODS["PMP"].colour, plot.readable(plot.METHODS["MPLP"].colour), plot.INK
LOOKS = {
    "dual": (MPLP, "-", 2.0, "MPLP's dual: upper bound"),
    "exact": (EXACT, "--", 1.2, "exact MAP"),
    "primal": (PMP, "-", 2.0, "max-product: PMP's estimate"),
    "lower": (PMP, ":", 2.0, "max-product, noise / n: lower bound"),
    "mplp": (MPLP, ":", 1.6, "MPLP's spins"),
}
LEFT, BOTTOM, WIDE, TALL = 0.085, 0.125, 0.46, 0.80
TICKS = (-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50)
LIMIT = 60.0
APART = 1.9  # of two labels, in roots of nats: each has two lines
LINE, RIGHT = 8, 8
"""Of the words, in points: half the distance of two lines, and the distance from the axes."""
BOUNDS, BAND, CAP = "#E9E9E9", 0.22, 5
"""The colour of the band of both bounds, the opacity of an error band, and half the width of an error bar in points."""


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
        axes.set_xlabel("sweeps", **plot.WRITING)
        axes.text(0, 1.03, "nats from log Z (square-root scale)", transform=axes.transAxes, **plot.WRITING)
        self._add_collections()
        zero = axes.axhline(0, color=EXACT, linewidth=1.6)
        self.cursor = self.canvas.cursor(axes)
        self.canvas.moving(self.bands, zero, self.curves, self.cursor, self.bars)
        self.names = {name: labels.words(look[3], plot.TEXT, look[0]) for name, look in LOOKS.items()}

    def _add_collections(self) -> None:
        """Add all bands, all curves and all bars as one artist each, in pixels: single artists take twice the time."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import to_rgba
        from matplotlib.transforms import IdentityTransform

        colours, styles, widths, _ = zip(*LOOKS.values(), strict=True)
        fills = [to_rgba(BOUNDS), *(to_rgba(colour, BAND) for colour in colours)]
        self.bands = PolyCollection([], facecolors=fills, linewidths=0, transform=IdentityTransform())
        self.curves = LineCollection(
            [], colors=colours, linestyles=styles, linewidths=widths, transform=IdentityTransform()
        )
        self.bars = LineCollection([], colors=colours, linewidths=2, transform=IdentityTransform(), clip_on=False)
        for collection in (self.bands, self.curves, self.bars):
            self.axes.add_collection(collection, autolim=False)

    def _points(self, x, y) -> np.ndarray:
        """Return the pixels (..., 2) of sweeps x and nats y."""
        x, y = np.broadcast_arrays(x, y)
        return self.axes.transData.transform(np.stack([x, y], -1).reshape(-1, 2)).reshape(*x.shape, 2)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        means = np.array(list(state.means.values()))
        reach = 2 * np.array(list(state.errors.values()))
        lower, upper = (list(state.means).index(name) for name in ("lower", "dual"))
        low, high = means - reach, means + reach
        low, high = np.vstack([low[lower], low]), np.vstack([high[upper], high])
        bands = np.concatenate([self._points(self.sweeps, low), self._points(self.sweeps, high)[:, ::-1]], 1)
        self.bands.set_verts(list(bands))
        self.curves.set_segments(list(self._points(self.sweeps, means)))
        self.bars.set_segments(list(self._bars(state)))
        self.cursor.set_xdata([state.sweeps] * 2)
        ends = signed_root(np.clip(means[:, -1], -LIMIT, LIMIT))
        top, picture = np.sqrt(LIMIT), self.canvas.pixels()
        for name, shown in zip(state.means, signed_square(labels.apart(ends, APART, 1.2 - top, top)), strict=True):
            value, error = state.at(name)
            self._write(picture, name, shown, f"{value:+.2f} ± {2 * error:.2f}")
        return picture

    def _bars(self, state: State) -> np.ndarray:
        """Return the lines of the error bars at the cursor, (15, 2, 2): of each curve the bar and its two ends."""
        values = np.array([state.at(name) for name in state.means])
        ends = self._points(state.sweeps, values[:, :1] + values[:, 1:] * [-2, 2])  # (curves, 2, 2)
        cap = np.array([CAP * self.canvas.density, 0])
        across = np.stack([ends - cap, ends + cap], 2)
        return np.concatenate([ends, across[:, 0], across[:, 1]])

    def _write(self, picture: pixels.Image, name: str, height: float, number: str) -> None:
        """Write the name of a curve at its end, above its number."""
        (x, y), scale = self.axes.transData.transform((self.sweeps[-1], height)), self.canvas.density
        left, middle, word = round(x + RIGHT * scale), len(picture) - y, self.names[name]
        pixels.paste(picture, word, round(middle - LINE * scale - len(word) / 2), left)
        numerals.paste(picture, number, left, middle + LINE * scale, colour=plot.rgb(LOOKS[name][0]))
