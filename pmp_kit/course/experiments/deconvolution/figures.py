"""The figures of Section 5.6: the generation of an image, features of several seeds, and reconstructions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import plot
from ...plot.figure import Figure

COLUMNS = 10  # images in a row of the reconstructions
MISSED, WRONG = plot.METHODS["data"].colour, plot.METHODS["block Gibbs"].colour


def example(w, s, images) -> Figure:
    """Draw Figure 4, top left: features W, their locations S in each image, and the resulting image X."""
    count, kinds = len(images), len(w)
    canvas = plot.Canvas(110 * (kinds + 2), 118 * (count + 1))
    width, height = 1 / (kinds + 2), 1 / (count + 1)
    for k, feature in enumerate(w):
        _show(canvas, (k, 0), (width, height), feature, f"feature {k + 1}")
    for n, image in enumerate(images):
        for k in range(kinds):
            title = f"where it is (S), image {n + 1}" if k == 0 else ""
            _show(canvas, (k, n + 1), (width, height), s[n, k], title)
        _show(canvas, (kinds + 0.5, n + 1), (width, height), image, f"image {n + 1} (X)")
    return Figure(canvas.png(), canvas.width, "features, where they are in each image, and the image that they make")


def features(found: Sequence, names: Sequence[str]) -> Figure:
    """Draw Figure 4, bottom right: the features of several seeds, one row per seed."""
    kinds = max(len(w) for w in found)
    canvas = plot.Canvas(110 + 88 * kinds, 96 * len(found))
    for row, (w, name) in enumerate(zip(found, names, strict=True)):
        canvas.figure.text(0.01, 1 - (row + 0.5) / len(found), name, fontsize=12, color=plot.INK, va="center")
        for k, feature in enumerate(w):
            left, size = (110 + 88 * k) / canvas.width, 84 / canvas.width
            axes = canvas.figure.add_axes((left, 1 - (row + 0.95) / len(found), size, 0.88 / len(found)))
            _pixels(axes, np.where(feature, 0, 1), grid=True)
    return Figure(canvas.png(), canvas.width, "features that each seed has found")


def reconstructions(images, drawn) -> Figure:
    """Draw Figure 5, right: all images. Drawn ink is black, missed ink is sky blue, and wrong pixels are vermilion."""
    rows = -(-len(images) // COLUMNS)
    canvas = plot.Canvas(62 * COLUMNS, 62 * rows + 26)
    for n, (image, picture) in enumerate(zip(images, drawn, strict=True)):
        row, column = divmod(n, COLUMNS)
        place = (62 * column + 2) / canvas.width, 1 - (62 * row + 60) / canvas.height
        axes = canvas.figure.add_axes((*place, 58 / canvas.width, 58 / canvas.height))
        ink, on = image == 1, picture & (image >= 0)
        _pixels(axes, np.where(on, np.where(ink, 0, 3), np.where(ink, 2, 1)))
    for left, words, colour in (
        (0.01, "■ ink that is drawn", plot.INK),
        (0.33, "■ ink that is not", MISSED),
        (0.62, "■ drawn where there is none", WRONG),
    ):
        canvas.figure.text(left, 8 / canvas.height, words, fontsize=12, color=colour)
    return Figure(canvas.png(), canvas.width, "images, and what is drawn of each")


def _show(canvas, place, size, values, title: str) -> None:
    """Draw one array in the grid of the figure, with its title above it."""
    (column, row), (width, height) = place, size
    axes = canvas.figure.add_axes(
        (column * width + 0.012, 1 - (row + 0.96) * height, 0.86 * width, 0.76 * height)
    )  # fmt: skip
    _pixels(axes, np.where(np.asarray(values) > 0, 0, 1), grid=max(np.shape(values)) < 8)
    axes.set_title(title, fontsize=11, color=plot.INK, loc="left", pad=3)


def _pixels(axes, kinds, grid: bool = False) -> None:
    """Draw an array of colour codes: 0 black, 1 white, 2 missed, 3 wrong."""
    colours = np.array([plot.rgb(c) for c in ("#000000", "#FFFFFF", MISSED, WRONG)])
    axes.imshow(colours[kinds], interpolation="nearest", aspect="equal")
    axes.set(xticks=[], yticks=[])
    if grid:
        height, width = kinds.shape
        axes.vlines(np.arange(width - 1) + 0.5, -0.5, height - 0.5, color="#DDDDDD", linewidth=0.5)
        axes.hlines(np.arange(height - 1) + 0.5, -0.5, width - 0.5, color="#DDDDDD", linewidth=0.5)
    for spine in axes.spines.values():
        spine.set(color=plot.FAINT, linewidth=0.8)
