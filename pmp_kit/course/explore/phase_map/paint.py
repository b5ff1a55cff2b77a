"""The picture of a phase map: coloured cells, its two axes, and a scale of colours or the names of the categories."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float, Int

from ... import plot
from ...plot import pixels
from .. import layout
from .compute import Axis
from .measures import Measure

WIDTH, HEIGHT, DENSITY = 590, 400, 1.5
LEFT, TOP, SIDE = 84, 14, 340  # CSS pixels: the place of the cells
SCALE, BAR = LEFT + SIDE + 22, 18  # where the scale of colours begins, and its width
LETTER = 6.6  # CSS pixels, about as wide as a letter
TICKS = 6  # numbers on an axis, at most


class Painter:
    """Draws axes and words once and pastes the cells.

    Attributes:
        grid: where the cells are, as `Cells` takes it.
    """

    def __init__(self, x: Axis, y: Axis, measure: Measure):
        columns, rows = len(x.stops), len(y.stops)
        wide, high = (int(SIDE * DENSITY) // count for count in (columns, rows))
        left, top = int(LEFT * DENSITY), int(TOP * DENSITY)
        self.grid = {"left": left, "top": top, "wide": wide, "high": high, "rows": rows, "columns": columns}
        self._colours, self._limits = [plot.rgb(colour) for colour in measure.names.values()], measure.limits
        self._canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
        self._write_axes(x, y)
        for number, name in enumerate(measure.names):
            self._canvas.write(SCALE + BAR + 8, TOP + 13 + 26 * number, name, fontsize=12)
        heights = () if measure.names else (0.0, 0.5, 1.0)
        self._ends = [self._canvas.write(SCALE + BAR + 6, TOP + 8 + (SIDE - 8) * (1 - at), "") for at in heights]
        self._written: tuple[float, float] | None = None

    def _write_axes(self, x: Axis, y: Axis) -> None:
        """Write the stops and the names of both axes."""
        wide, high = self.grid["wide"] / DENSITY, self.grid["high"] / DENSITY
        right, bottom = LEFT + wide * len(x.stops), TOP + high * len(y.stops)
        write = self._canvas.write
        for k in _ticks(x):
            write(LEFT + wide * (k + 0.5), bottom + 16, layout.typeset(layout.short(x.stops[k])), ha="center")
        for k in _ticks(y):
            place = bottom - high * (k + 0.5)
            write(LEFT - 6, place, layout.typeset(layout.short(y.stops[k])), ha="right", va="center_baseline")
        write((LEFT + right) / 2, bottom + 36, x.name, ha="center")
        longest = max(len(layout.short(y.stops[k])) for k in _ticks(y))
        write(LEFT - 20 - LETTER * longest, (TOP + bottom) / 2, y.name, rotation=90, ha="center", va="center")

    def paint(self, values: Float[np.ndarray, "rows columns"]) -> pixels.Image:
        """Paint the values; cells that are not computed (NaN) are striped."""
        grid, missing = self.grid, np.isnan(values)
        if self._colours:
            colours = np.array(self._colours)[np.where(missing, 0, values).astype(int)]
            picture = self._canvas.pixels()
            for number, colour in enumerate(self._colours):
                square = np.broadcast_to(colour, (27, 27, 3)).astype(np.uint8)
                pixels.paste(picture, pixels.frame(square), grid["top"] + 39 * number, int(SCALE * DENSITY))
        else:
            low, high = self._limits or self._ends_of(values)
            colours = plot.probability((np.where(missing, low, values) - low) / ((high - low) or 1.0))
            picture = self._with_scale(low, high)
        cells = colours.repeat(grid["high"], 0).repeat(grid["wide"], 1)
        unknown = missing.repeat(grid["high"], 0).repeat(grid["wide"], 1)
        cells[unknown] = pixels.grey(pixels.hatch(*unknown.shape))[unknown]
        pixels.paste(picture, np.ascontiguousarray(cells[::-1]), grid["top"], grid["left"])
        return picture

    def _ends_of(self, values: np.ndarray) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        known = values[~np.isnan(values)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)

    def _with_scale(self, low: float, high: float) -> pixels.Image:
        """Write the numbers of the scale where they changed, and return the picture with its colours."""
        if self._written != (low, high):
            self._written = low, high
            for share, words in zip((0.0, 0.5, 1.0), self._ends, strict=True):
                words.set_text(f"{low + share * (high - low):.3g}")
            self._canvas.redraw()
        picture = self._canvas.pixels()
        shares = np.linspace(1, 0, int(SIDE * DENSITY))[:, None].repeat(int(BAR * DENSITY), 1)
        pixels.paste(picture, pixels.frame(plot.probability(shares)), self.grid["top"], int(SCALE * DENSITY))
        return picture


def words(values: Float[np.ndarray, "rows columns"], x: Axis, y: Axis, measure: Measure) -> str:
    """Return what a map shows: the share of each category, or the smallest and the largest value."""
    known = values[~np.isnan(values)]
    if measure.names:
        shares = percent(np.bincount(known.astype(int), minlength=len(measure.names)))
        each = ", ".join(f"{name} {share} %" for name, share in zip(measure.names, shares, strict=True))
        return f"{each} of the cells"
    row, column = np.unravel_index(np.nanargmax(values), values.shape)
    return f"{measure.label}: {known.min():.3g} to {known.max():.3g}, largest at {x.words[column]}, {y.words[row]}"


def percent(counts: Int[np.ndarray, " categories"]) -> Int[np.ndarray, " categories"]:
    """Return whole percentages that sum to 100: those with the largest remainders are rounded up."""
    whole, remainders = np.divmod(100 * counts, counts.sum())
    whole[np.argsort(-remainders, kind="stable")[: 100 - whole.sum()]] += 1
    return whole


def _ticks(axis: Axis) -> list[int]:
    """Return the stops whose values are written: a few of a slider at equal distances, all of a list."""
    count = len(axis.stops)
    return list(range(0, count, max(1, math.ceil((count - 1) / (TICKS - 1))) if axis.ordered else 1))
