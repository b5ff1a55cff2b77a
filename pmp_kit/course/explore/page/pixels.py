"""A grid of pixels that the reader sets to on, off or free."""

from __future__ import annotations

import numpy as np
import traitlets
from jaxtyping import Int

from ....variables import FREE
from ...plot.pixels import HATCH_DARK, HATCH_LIGHT
from . import sources
from .scripted import Scripted

_FREE_BYTE = 2  # FREE is negative in arrays; a byte has no sign
_GREYS = [f"rgb({grey}, {grey}, {grey})" for grey in (HATCH_LIGHT, HATCH_DARK)]  # colours of free pixels


class _PainterView(Scripted):
    """The widget. Each pixel is sent as one byte, from Python to the page and back."""

    _esm = sources.module("pixels.js")
    _css = sources.style()
    pixels = traitlets.Bytes().tag(sync=True, from_json=lambda value, _: bytes(value))
    shape = traitlets.List(traitlets.Int()).tag(sync=True)
    cell = traitlets.Int(24).tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    greys = traitlets.List(_GREYS).tag(sync=True)


class PixelPainter:
    """Pixels that are painted with a mouse, a finger or the keyboard (arrow keys, 1 for on, 0 for off, f for free).

    Args:
        values: the first values, (h, w) of 0, 1 and FREE.
        label: text that describes the image to screen readers.
        cell: size of a pixel on the page.

    Raises:
        ValueError: values is not a grid of 0, 1 and FREE.
    """

    def __init__(self, values: Int[np.ndarray, "h w"], label: str, cell: int = 24):
        self.widget = _PainterView(shape=list(np.shape(values)), label=label, cell=cell, pixels=self._pack(values))

    @staticmethod
    def _pack(values) -> bytes:
        values = np.asarray(values)
        if values.ndim != 2 or not np.isin(values, (FREE, 0, 1)).all():
            raise ValueError(
                f"values: expected a grid (rows, columns) of 0 (off), 1 (on) and {FREE} (free), got shape "
                f"{values.shape} with values {np.unique(values)[:5]}; reshape and threshold it first"
            )
        return np.where(values == FREE, _FREE_BYTE, values).astype(np.uint8).tobytes()

    @property
    def values(self) -> Int[np.ndarray, "h w"]:
        """The current values, (h, w) int32 of 0, 1 and FREE."""
        pixels = np.frombuffer(self.widget.pixels, np.uint8).reshape(self.widget.shape)
        return np.where(pixels == _FREE_BYTE, FREE, pixels.astype(np.int32))

    @values.setter
    def values(self, values: Int[np.ndarray, "h w"]) -> None:
        packed = self._pack(values)
        if list(np.shape(values)) != self.widget.shape:
            raise ValueError(
                f"values: expected shape {tuple(self.widget.shape)}, got {np.shape(values)}; "
                "a painter keeps its size, make a new one"
            )
        self.widget.pixels = packed

    def observe(self, callback) -> None:
        """Call callback(change) after every stroke."""
        self.widget.observe(callback, "pixels")
