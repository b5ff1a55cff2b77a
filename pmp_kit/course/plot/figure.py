"""The image that the functions for the paper's figures return."""

from __future__ import annotations

import base64

from .png import shown


class Figure:
    """A PNG with its width on the page and a description for screen readers.

    Args:
        data: the PNG.
        width: on the page, in CSS pixels.
        words: the description, one line.
    """

    def __init__(self, data: bytes, width: int, words: str):
        self.data, self.width, self.words = data, width, words

    def __repr__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        # nbconvert and MyST-NB drop the description of an image/png; PDFs cannot show text/html
        data = {
            "text/html": shown(self.data, self.words, f'width="{self.width}"'),
            "image/png": base64.b64encode(self.data).decode("ascii"),
            "text/plain": self.words,
        }
        return data, {"image/png": {"width": self.width, "alt": self.words}}
