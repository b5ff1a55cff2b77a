"""Labels of curves: as pixels that are drawn once, and moved apart where they would touch."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, UInt8

from .canvas import Canvas
from .pixels import WHITE, Image
from .style import INK, rgb

SHADES = 16
"""Palette entries of writing in a picture of palette entries."""


def writing() -> UInt8[np.ndarray, "shades 3"]:
    """Return the colours of writing, from white to ink."""
    return np.linspace(255, rgb(INK), SHADES).astype(np.uint8)


def shades(drawn: Image) -> UInt8[np.ndarray, "height width"]:
    """Turn what is drawn in ink on white into entries of `writing`."""
    share = (255 - drawn.mean(-1)) / (255 - rgb(INK).mean())
    return np.clip(share * (SHADES - 1) + 0.5, 0, SHADES - 1).astype(np.uint8)


@functools.lru_cache(maxsize=256)
def words(text: str, size: float, colour: str, density: float = 1.5) -> Image:
    """Draw text on white, cut to its width. It is kept, because matplotlib takes 0.1 ms for each letter."""
    canvas = Canvas(round(size * len(text)), round(1.4 * size), density)
    canvas.figure.text(0, 0.5, text, fontsize=size, color=colour, va="center")
    pixels = canvas.pixels()
    return pixels[:, : np.flatnonzero((pixels != WHITE).any((0, 2))).max() + 1]


def apart(
    heights: Sequence[float] | np.ndarray, gap: float, low: float = -np.inf, high: float = np.inf
) -> Float[np.ndarray, " labels"]:
    """Move heights downwards until neighbours are at least `gap` apart, then up again where they fell below `low`.

    Args:
        heights: where the labels would stand, in any order; of two that are equal, the first one stays above.
        gap: the smallest distance.
        low, high: the lowest and the highest place that is allowed.

    Returns:
        The new heights, in the order of the old ones.
    """
    moved = np.array(heights, float)
    order = np.argsort(-moved, kind="stable")
    highest = high
    for k in order:
        moved[k] = min(moved[k], highest)
        highest = moved[k] - gap
    lowest = low
    for k in order[::-1]:
        moved[k] = max(moved[k], lowest)
        lowest = moved[k] + gap
    return moved


def label_ends(axes, ends: list[tuple[float, str, str]], size: int, gap: float = 0.11) -> None:
    """Write names at the right end of curves, joined to them by lines, and move labels apart that would overlap.

    Args:
        ends: height, name and colour of each label.
        size: font size.
        gap: smallest distance of two labels, as a share of the axis.
    """
    from matplotlib.collections import LineCollection

    ends, right = sorted(ends), axes.get_xlim()[1]
    in_pixels = axes.transData.transform([(right, value) for value, _, _ in ends])
    places = axes.transAxes.inverted().transform(in_pixels)[:, 1]
    moved = -apart(-places, gap)  # the lowest one is fixed
    joining = [[(1.005, end), (1.04, place)] for end, place in zip(places, moved, strict=True)]
    look = {"colors": [colour for _, _, colour in ends], "linewidths": 0.7, "clip_on": False}
    axes.add_collection(LineCollection(joining, transform=axes.transAxes, **look), autolim=False)
    for place, (_, name, colour) in zip(moved, ends, strict=True):
        axes.text(1.05, place, name, transform=axes.transAxes, fontsize=size, color=colour, va="center")
