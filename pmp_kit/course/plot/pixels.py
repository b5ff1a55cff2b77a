"""Arrays to pixels with NumPy alone: states, evidence, messages, and sheets of such images."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int, UInt8

from .style import FAINT, diverging, rgb

WHITE, BLACK = 255, 0
HATCH_LIGHT, HATCH_DARK = 236, 190  # free pixels: grey stripes

Image = UInt8[np.ndarray, "height width 3"]


def grey(values: UInt8[np.ndarray, "height width"]) -> Image:
    """One grey channel as three."""
    return values.repeat(3, axis=1).reshape(*values.shape, 3)


def hatch(height: int, width: int) -> UInt8[np.ndarray, "height width"]:
    """Diagonal grey stripes."""
    stripe = (np.arange(height)[:, None] + np.arange(width)) % 6 < 3
    return np.where(stripe, HATCH_DARK, HATCH_LIGHT).astype(np.uint8)


def magnify(values: np.ndarray, cell: int) -> np.ndarray:
    """Every entry as a square of cell x cell: (h, w, ...) -> (h * cell, w * cell, ...)."""
    return values.repeat(cell, axis=1).repeat(cell, axis=0)


def states(values: Int[np.ndarray, "h w"], cell: int) -> Image:
    """States, black (1) on white (0); negative (free) pixels are hatched."""
    shown = magnify(np.where(values == 1, BLACK, WHITE).astype(np.uint8), cell)
    free = magnify(values < 0, cell)
    if free.any():
        shown[free] = hatch(*shown.shape)[free]
    return grey(shown)


def messages(values: np.ndarray, cell: int, limit: float) -> Image:
    """Messages or beliefs (h, w), PuOr centred at zero and clipped at +-limit."""
    return magnify(diverging(values, limit), cell)


def frame(images: UInt8[np.ndarray, "... height width 3"]) -> np.ndarray:
    """Put one pixel of line around an image, or around each of many."""
    *many, height, width, _ = images.shape
    framed = np.empty((*many, height + 2, width + 2, 3), np.uint8)
    framed[..., 1:-1, 1:-1, :] = images
    for edge in (0, -1):
        framed[..., edge, :, :] = framed[..., :, edge, :] = rgb(FAINT)
    return framed


def mosaic(images: UInt8[np.ndarray, "count height width 3"], columns: int, gap: int) -> Image:
    """Put images in reading order on a white sheet, `gap` pixels apart. The last row may be shorter."""
    count, height, width, _ = images.shape
    rows = -(-count // columns)
    sheet = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), WHITE, np.uint8)
    for number, image in enumerate(images):
        row, column = divmod(number, columns)
        paste(sheet, image, row * (height + gap), column * (width + gap))
    return sheet


def sheet(images: Int[np.ndarray, "count h w"], cell: int, columns: int, gap: int) -> Image:
    """Images of states in rows, each with one pixel of line around it.

    Args:
        images: 0 and 1.
        cell: image pixels for a state.
        columns: images in a row.
        gap: image pixels between the images.
    """
    count, height, width = images.shape
    tiles = states(images.reshape(count * height, width), cell).reshape(count, height * cell, width * cell, 3)
    return mosaic(frame(tiles), columns, gap)


def paste(sheet: Image, image: Image, top: int, left: int) -> None:
    """Put an image on a sheet, in place.

    Raises:
        ValueError: the image does not fit there.
    """
    height, width = image.shape[:2]
    if top < 0 or left < 0 or top + height > sheet.shape[0] or left + width > sheet.shape[1]:
        raise ValueError(
            f"image: expected to fit on a sheet of {sheet.shape[0]} x {sheet.shape[1]} pixels, got {height} x {width} "
            f"at row {top}, column {left}; make the sheet larger or the image smaller"
        )
    sheet[top : top + height, left : left + width] = image
