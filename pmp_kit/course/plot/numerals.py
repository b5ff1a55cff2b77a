"""Numbers as pixels: for pictures with so many numbers that matplotlib would take too long to lay them out."""

from __future__ import annotations

import functools

import numpy as np
from jaxtyping import Float

from .canvas import Canvas
from .pixels import Image
from .style import TEXT

WIDTHS = {**dict.fromkeys(". ", 0.36), **dict.fromkeys("0123456789−x", 0.66), **dict.fromkeys("+±", 0.84)}
"""Widths of the characters, as shares of the font size; all digits are equally wide."""


@functools.cache
def _glyphs() -> dict[str, Float[np.ndarray, "height width"]]:
    """Draw each character once: the share of ink on its pixels."""
    canvas, glyphs = Canvas(2 * TEXT, 2 * TEXT), {}
    glyph = canvas.figure.text(0.5, 0.5, "", fontsize=TEXT, ha="center", va="center_baseline", color="black")
    middle = canvas.pixels().shape[1] // 2
    for character, width in WIDTHS.items():
        glyph.set_text(character)
        canvas.redraw()
        half = round(0.5 * width * TEXT * canvas.density)
        glyphs[character] = 1.0 - canvas.pixels()[:, middle - half : middle + half, 0] / np.float32(255)
    return glyphs


def ink(words: str) -> Float[np.ndarray, "height width"]:
    """Return the share of ink on each pixel of a number, 0 to 1. A hyphen is drawn as a minus sign.

    Raises:
        ValueError: there is a character that is not in WIDTHS.
    """
    words = words.replace("-", "−")
    if unknown := set(words) - set(WIDTHS):
        raise ValueError(f"words: expected characters among {''.join(WIDTHS)}, got {sorted(unknown)}")
    return np.concatenate([_glyphs()[character] for character in words], axis=1)


def paste(pixels: Image, words: str, x: float, y: float, align=0.0, colour: int | np.ndarray = 0) -> None:
    """Write a number into a picture that has the density of a `Canvas`, in place.

    Args:
        x, y: where, in image pixels from the left and the top; y is the middle of the line.
        align: 0 to begin at x, 0.5 to stand around it, 1 to end there.
        colour: of the ink: grey, 0 black to 255 white, or red, green and blue.
    """
    drawn = ink(words)[..., None]
    height, width = drawn.shape[:2]
    top, left = round(y - height / 2), round(x - align * width)
    part = pixels[top : top + height, left : left + width]
    part[...] = part + drawn * (np.asarray(colour, np.float32) - part) + 0.5
