"""Counterparts of the paper's Figures 3 and 6 to 8: curves, and grids of sample sheets."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import labels, pixels
from ...plot.figure import Figure
from .learn import METHODS

DENSITY = 1.5
COLUMNS, GAP = 5, 6  # samples in a row of a sheet, and image pixels between them
SCALE = 1  # index of kernel scale 10 in the panel
BLOCK = plot.METHODS["block Gibbs"]
STYLES = {
    "PMP": plot.METHODS["PMP"],
    "Gibbs-reset": plot.METHODS["Gibbs"],
    "PCD-1": plot.Style(BLOCK.colour, "d", ":"),
    "PCD-1 constant": plot.Style(BLOCK.colour, "X", "-."),
    "PCD-100": BLOCK,
}


def gallery(rows: dict[str, dict[str, np.ndarray]], cell: int = 2) -> Figure:
    """Draw a grid of sample sheets with names: Figures 3 (right), 6, 7 and 8.

    Args:
        rows: name of a row -> name of a column -> images (count, h, w) of 0 and 1. All sheets have the same size.
        cell: side of a sample's pixel, in pixels of the figure.

    Returns: an image for the page.
    """
    sheets = {
        name: {head: pixels.sheet(images, cell, COLUMNS, GAP) for head, images in row.items()}
        for name, row in rows.items()
    }
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
    whole = canvas.pixels()
    for (y, x), picture in places.items():
        pixels.paste(whole, picture[: page[0] - y, : page[1] - x], y, x)
    words = "samples: " + ", ".join(name.replace("\n", " ") for name in rows)
    return Figure(plot.png(whole), canvas.width, words)


def effective_digits(shares: np.ndarray) -> np.ndarray:
    """exp(entropy) of shares (..., 10): 10 where all digits are equally frequent, 1 where there is only one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log(shares), 0.0)
    return np.exp(-terms.sum(-1))


def sweeps_curves(table: dict[str, np.ndarray]) -> Figure:
    """Draw Figure 3, left, at two kernel scales: the paper's, and one that is sensitive to structure.

    Args:
        table: as for `curves`.

    Returns: an image for the page.
    """
    canvas = plot.Canvas(860, 320, DENSITY)
    for left, scale, title in ((0.07, 0, "scale 1, the paper's kernel"), (0.57, 1, "scale 10, which sees structure")):
        axes = canvas.axes(left, 0.17, 0.27, 0.68)
        curves(axes, table, scale)
        axes.set_ylabel("MMD², U-statistic", fontsize=11, color=plot.INK)
        axes.set_title(title, fontsize=12, color=plot.INK, loc="left")
    return Figure(canvas.png(), canvas.width, "MMD squared of each way of training against the sweeps of its sampler")


def drawn_height(u: np.ndarray) -> np.ndarray:
    """Return max(MMD^2, 1e-4) for a logarithmic axis, because the U-statistic can be negative."""
    return np.maximum(u, 1e-4)


def curves(axes, table: dict[str, np.ndarray], scale: int = SCALE, size: int = 11) -> None:
    """Draw Figure 3, left: MMD^2 of each method against the sweeps of the sampler, with two grey references.

    Args:
        table: "sweeps" (S,), "u", "null" (methods, S, scales), "floor pixels u", "floor real null" (scales,).
    """
    sweeps, ends = table["sweeps"], []
    axes.set(xscale="log", yscale="log", xlim=(sweeps[0], sweeps[-1]))
    for method, rows, spread in zip(METHODS, table["u"][..., scale], table["null"][..., scale], strict=True):
        style = STYLES[method]
        axes.plot(sweeps, drawn_height(rows), style.line, color=style.colour, linewidth=1.6)
        band = drawn_height(rows - 2 * spread), drawn_height(rows + 2 * spread)
        axes.fill_between(sweeps, *band, color=style.colour, alpha=0.15, linewidth=0)
        ends.append((float(drawn_height(rows)[-1]), method, plot.readable(style.colour)))
    pixels, floor = float(table["floor pixels u"][scale]), 2 * float(table["floor real null"][scale])
    axes.axhline(pixels, color=plot.QUIET, linewidth=1, linestyle="--")
    axes.axhspan(axes.get_ylim()[0], floor, color=plot.FAINT, alpha=0.5, linewidth=0)
    ends += [(pixels, "independent pixels", plot.QUIET), (floor, "real digits", plot.QUIET)]
    labels.label_ends(axes, ends, size)
    axes.set_xlabel("sweeps", fontsize=size + 1, color=plot.INK)


def _write(canvas: plot.Canvas, page: tuple[int, int], x: float, y: float, words: str) -> None:
    """Write text. Its lower left corner is at (x, y) in pixels of the figure."""
    height, width = page
    canvas.figure.text(x / width, 1 - y / height, words, fontsize=11, color=plot.INK)
