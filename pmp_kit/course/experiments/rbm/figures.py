"""Counterparts of the paper's Figures 3 and 6 to 8: curves, and sheets of samples in rows and columns."""

from __future__ import annotations

import numpy as np

from pmp_kit.course import plot

from ...explore.rbm.paint import GAP, curves, sheet
from ...plot import pixels as painters
from ...plot.figure import Figure

DENSITY = 1.5


def gallery(rows: dict[str, dict[str, np.ndarray]], columns: int = 5, cell: int = 2) -> Figure:
    """Sheets of samples in a grid with names: Figures 3 (right), 6, 7 and 8.

    Args:
        rows: name of a row -> name of a column -> images (count, h, w) of 0 and 1. All sheets are of one size.
        columns: images side by side in a sheet.
        cell: image pixels for a pixel.

    Returns: a picture of the page.
    """
    sheets = {name: {head: sheet(images, cell, columns) for head, images in row.items()} for name, row in rows.items()}
    heads = list(next(iter(sheets.values())))
    high, wide, _ = next(iter(sheets[next(iter(sheets))].values())).shape
    left, top, line = 200, 12, 30
    width = left + len(heads) * (wide + 4 * GAP)
    height = top + len(sheets) * (high + line + GAP)
    canvas = plot.Canvas(round(width / DENSITY), round(height / DENSITY), DENSITY)
    page = canvas.pixels().shape[:2]
    places = {}
    for i, (name, row) in enumerate(sheets.items()):
        y = top + i * (high + line + GAP)
        _write(canvas, page, 4, y + line + high / 2, name)
        for j, (head, picture) in enumerate(row.items()):
            x = left + j * (wide + 4 * GAP)
            _write(canvas, page, x, y + line - 8, head)
            places[y + line, x] = picture
    canvas.redraw()
    pixels = canvas.pixels()
    for (y, x), picture in places.items():
        painters.paste(pixels, picture[: page[0] - y, : page[1] - x], y, x)
    words = "samples: " + ", ".join(name.replace("\n", " ") for name in rows)
    return Figure(plot.png(pixels), canvas.width, words)


def sweeps_curves(table: dict[str, np.ndarray]) -> Figure:
    """Figure 3, left, at two scales of the kernel: the paper's, and one that sees structure.

    Args:
        table: as `rbm_painter.curves` takes it.

    Returns: a picture of the page.
    """
    canvas = plot.Canvas(820, 320, DENSITY)
    for left, scale, title in ((0.07, 0, "scale 1, the paper's kernel"), (0.57, 1, "scale 10, which sees structure")):
        axes = canvas.axes(left, 0.17, 0.29, 0.68)
        curves(axes, table, scale)
        axes.set_ylabel("MMD², U-statistic", fontsize=11, color=plot.INK)
        axes.set_title(title, fontsize=12, color=plot.INK, loc="left")
    return Figure(canvas.png(), canvas.width, "MMD squared of each way of training against the sweeps of its sampler")


def _write(canvas: plot.Canvas, page: tuple[int, int], x: float, y: float, words: str) -> None:
    """A word with its lower left corner at a place in image pixels."""
    height, width = page
    canvas.figure.text(x / width, 1 - y / height, words, fontsize=11, color=plot.INK)
