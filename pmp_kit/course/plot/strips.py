"""Strips below the frames of an animation: axes for a curve, a curve with a mark, or a line of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from jaxtyping import Float, UInt8

from .canvas import Canvas
from .pixels import Image
from .style import INK, METHODS, QUIET, WRITING

CURVE, WORDS = 84, 24  # CSS pixels: height of a strip with a curve, and with words


def frame_over_axes(
    frame: Image, width: int, strip: int, place: tuple[float, float, float, float], density: float = 1.5
) -> tuple[Canvas, Any]:
    """A canvas with a frame above empty axes.

    Args:
        frame: the pixels of the frame.
        width: of the frame on the page, in CSS pixels.
        strip: height of the strip below the frame, in CSS pixels.
        place: left and bottom, width and height of the axes, as shares of the strip.
        density: image pixels for a CSS pixel.

    Returns:
        The canvas and the axes.
    """
    rows, columns = frame.shape[:2]
    height = round(width * rows / columns) + strip
    canvas, share = Canvas(width, height, density), strip / height
    above = canvas.figure.add_axes((0, share, 1, 1 - share))
    above.axis("off")
    above.imshow(frame, interpolation="antialiased")
    left, bottom, wide, tall = place
    return canvas, canvas.axes(left, bottom * share, wide, tall * share)


def curves(
    heights: Float[np.ndarray, " frames"], top: str, bottom: str, best: bool, width: int, pixels: int
) -> Iterator[Image]:
    """A curve with a mark at each frame in turn.

    Args:
        heights: of the curve, 0 to 1; NaN where there is none.
        top, bottom: what the ends of the curve's scale mean.
        best: whether the upper end is the best possible, so it is drawn black, and the best so far is drawn dashed.
        width: of a frame on the page, in CSS pixels.
        pixels: width of a frame in image pixels.
    """
    canvas = Canvas(width, CURVE, pixels / width)
    axes = canvas.figure.add_axes((0.02, 0.2, 0.96, 0.6))
    axes.set(xlim=(0, max(1, len(heights) - 1)), ylim=(0, 1))
    axes.axis("off")
    for height, line in ((1.12, top), (-0.25, bottom)):
        axes.text(0, height, line, transform=axes.transAxes, **WRITING, va="center")
    for end, colour in ((0, QUIET), (1, METHODS["exact"].colour if best else QUIET)):
        axes.axhline(end, color=colour, linewidth=1, clip_on=False)
    if best:
        axes.plot(np.fmax.accumulate(heights), "--", color=INK, linewidth=1)
    axes.plot(heights, color=METHODS["PMP"].colour, linewidth=1.5)
    (here,) = axes.plot([], [], "o--", markevery=[1], color=QUIET, markersize=5, linewidth=1, clip_on=False)
    canvas.moving(here)
    for k, height in enumerate(heights):
        here.set_data([k, k, k], [0, height, 1])
        yield _as_wide(canvas.pixels(), pixels)


def words(lines: Iterable[str], width: int, pixels: int) -> UInt8[np.ndarray, "lines height width 3"]:
    """Lines of text, each in a strip of its own.

    Args:
        lines: one for each frame.
        width: of a frame on the page, in CSS pixels.
        pixels: width of a frame in image pixels.
    """
    canvas = Canvas(width, WORDS, pixels / width)
    axes = canvas.figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    text = axes.text(0.01, 0.5, "", **WRITING, va="center")
    canvas.moving(text)
    strips = []
    for line in lines:
        text.set_text(line)
        strips.append(_as_wide(canvas.pixels(), pixels))
    return np.stack(strips)


def _as_wide(strip: Image, pixels: int) -> Image:
    """Cut a strip at the right, or repeat its last column, until it is so many image pixels wide."""
    cut = strip[:, :pixels]
    return np.pad(cut, ((0, 0), (0, pixels - cut.shape[1]), (0, 0)), "edge")
