"""Pictures of an answer beside the right one, as matrices of numbers or as images. Wrong entries have a red frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

from .. import plot
from ..plot import pixels
from .picture import EXACT, TEXT, WRONG, Picture, number

CELL = 60, 34  # width and height of a cell, in CSS pixels
TILE = 40  # size of an image


@dataclass(frozen=True, eq=False)
class Cells(Picture):
    """Two matrices of numbers, the given one at the left and the right one at the right. Integers have no colour.

    Args:
        rows, columns: labels; by default the indices.
    """

    rows: Sequence[str] = ()
    columns: Sequence[str] = ()

    def paint(self) -> plot.Canvas:
        (rows, columns), (width, height) = self.given.shape, CELL
        names = self.rows or [str(k) for k in range(rows)]
        margin = 20 + 8 * max(map(len, names))
        canvas = plot.Canvas(2 * (columns * width + margin), rows * height + 62)
        both = np.abs(np.stack([self.given, self.expected]))
        limit = max(float(both[np.isfinite(both)].max(initial=0.0)), 1e-9)
        for side, values in enumerate((self.given, self.expected)):
            left = margin - 6 + side * canvas.width / 2
            canvas.write(left, 20, self.heads[side], fontsize=TEXT, weight="bold")
            place = left / canvas.width, 6 / canvas.height
            axes = canvas.axes(*place, columns * width / canvas.width, rows * height / canvas.height)
            axes.set(xlim=(0, columns), ylim=(rows, 0))
            axes.xaxis.tick_top()
            axes.set_xticks(np.arange(columns) + 0.5, self.columns or [str(k) for k in range(columns)])
            axes.set_yticks(np.arange(rows) + 0.5, names)
            axes.tick_params(length=0, labelsize=TEXT)
            axes.spines[:].set_visible(False)
            for (i, j), value in np.ndenumerate(values):
                _square(axes, i, j, 0.0, facecolor=_colour(value, limit), edgecolor=plot.FAINT)
                axes.text(j + 0.5, i + 0.5, number(value), ha="center", va="center_baseline", fontsize=TEXT)
            for i, j in np.argwhere(self.wrong) if side == 0 else ():
                _square(axes, i, j, 0.05, facecolor="none", edgecolor=WRONG, linewidth=3, zorder=3)
        return canvas


def _colour(value, limit: float) -> np.ndarray:
    """Return the colour of a cell, pale enough for black text."""
    if not np.isfinite(value) or np.asarray(value).dtype.kind in "iu":
        return np.ones(3)
    return 0.45 + 0.55 * plot.diverging(value, limit) / 255


def _square(axes, i: int, j: int, inset: float, **look) -> None:
    """Draw the square of a cell."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((j + inset, i + inset), 1 - 2 * inset, 1 - 2 * inset, **look))


@dataclass(frozen=True, eq=False)
class Tiles(Picture):
    """Two sheets of binary images (count, h, w), the given one at the left and the right one at the right.

    Args:
        chosen: which images of the right sheet have a black frame.
    """

    chosen: Bool[np.ndarray, " count"] | None = None

    def paint(self) -> plot.Canvas:
        none = np.zeros(len(self.expected), bool)
        chosen = none if self.chosen is None else self.chosen
        sheets = [_sheet(self.given, self.wrong, WRONG), _sheet(self.expected, chosen, EXACT)]
        height, width = sheets[0].shape[:2]
        canvas = plot.Canvas(2 * width + 56, height + 30)
        for side, sheet in enumerate(sheets):
            left = 8 + side * (width + 40)
            canvas.write(left, 20, self.heads[side], fontsize=TEXT, weight="bold")
            axes = canvas.figure.add_axes(
                (left / canvas.width, 2 / canvas.height, width / canvas.width, height / canvas.height)
            )
            axes.imshow(sheet, interpolation="nearest")
            axes.axis("off")
        return canvas


def _sheet(images: Int[np.ndarray, "count h w"], marked: Bool[np.ndarray, " count"], colour: str) -> pixels.Image:
    """Put binary images in rows of five, with a frame around those that are marked."""
    border, cell = 4, TILE // images.shape[2]
    tiles = pixels.frame(np.stack([pixels.states(image, cell) for image in images]))
    count, height, width, _ = tiles.shape
    framed = np.full((count, height + 2 * border, width + 2 * border, 3), pixels.WHITE, np.uint8)
    framed[marked] = plot.rgb(colour)
    framed[:, border:-border, border:-border] = tiles
    return pixels.mosaic(framed, 5, 4)
