"""Numbers as pixels: for pictures with so many numbers that matplotlib would take too long to lay them out."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from .canvas import Canvas
from .pixels import Image

WIDTHS = {**dict.fromkeys(". ", 0.36), **dict.fromkeys("0123456789−x", 0.66), **dict.fromkeys("+±", 0.84)}
"""Widths of the characters, as shares of the font size; all digits are equally wide."""


class Digits:
    """Digits, point, space, signs and the letter x, each drawn once.

    Args:
        size: of the font, in CSS pixels.
        density: image pixels for a CSS pixel, as for `Canvas`.
    """

    def __init__(self, size: float, density: float = 1.5):
        canvas = Canvas(int(2 * size), int(2 * size), density)
        glyph = canvas.figure.text(0.5, 0.5, "", fontsize=size, ha="center", va="center_baseline", color="black")
        middle, self._glyphs = canvas.pixels().shape[1] // 2, {}
        for character, width in WIDTHS.items():
            glyph.set_text(character)
            canvas.redraw()
            half = round(0.5 * width * size * density)
            self._glyphs[character] = 1.0 - canvas.pixels()[:, middle - half : middle + half, 0] / np.float32(255)

    def ink(self, words: str) -> Float[np.ndarray, "height width"]:
        """Return the share of ink on each pixel of a number, 0 to 1. A hyphen is drawn as a minus sign.

        Raises:
            ValueError: another character is asked for.
        """
        words = words.replace("-", "−")
        if unknown := set(words) - set(WIDTHS):
            raise ValueError(f"words: expected characters among {''.join(WIDTHS)}, got {sorted(unknown)}")
        return np.concatenate([self._glyphs[character] for character in words], axis=1)

    def paste(self, pixels: Image, words: str, x: float, y: float, align=0.0, colour: int | np.ndarray = 0):
        """Write a number into a picture, in place.

        Args:
            x, y: where, in image pixels from the left and the top; y is the middle of the line.
            align: 0 to begin at x, 0.5 to stand around it, 1 to end there.
            colour: of the ink: grey, 0 black to 255 white, or red, green and blue.
        """
        ink = self.ink(words)[..., None]
        height, width = ink.shape[:2]
        top, left = round(y - height / 2), round(x - align * width)
        part = pixels[top : top + height, left : left + width]
        part[...] = part + ink * (np.asarray(colour, np.float32) - part) + 0.5
