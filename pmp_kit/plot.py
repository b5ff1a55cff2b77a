"""Arrays to pictures: fast PNG, colour maps, kept matplotlib figures. Knows neither JAX nor widgets, and no pyplot.

A figure that answers a slider is built once. What does not move is drawn once and kept as a background; every new
picture restores it, draws the few artists that moved, and packs the pixels. matplotlib is imported on first use.
"""

from __future__ import annotations

import functools
import struct
import zlib
from typing import NamedTuple

import numpy as np


class Style(NamedTuple):
    """How a method looks everywhere: its Okabe-Ito colour, its mark and its line."""

    colour: str
    mark: str
    line: str = "-"


METHODS = {
    "PMP": Style("#0072B2", "o"),
    "Gibbs": Style("#E69F00", "s"),
    "Gibbs-with-gradients": Style("#009E73", "^"),
    "DMALA": Style("#CC79A7", "p"),
    "block Gibbs": Style("#D55E00", "D"),
    "LP": Style("#7F7F7F", "v", "--"),
    "MPLP": Style("#7F7F7F", "P", ":"),
    "exact": Style("#000000", "_"),
    "data": Style("#56B4E9", "x"),
}

INK = "#333333"  # text and axes
FAINT = "#BBBBBB"  # grid lines and outlines that should not shout
QUIET = "#6B6B6B"  # words and lines that stand back, and can still be read


def rgb(colour: str) -> np.ndarray:
    """'#RRGGBB' as (3,) uint8."""
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)


@functools.cache
def colour_map(name: str) -> np.ndarray:
    """The (256, 3) uint8 table of a matplotlib colour map."""
    import matplotlib

    return (matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3] * 255 + 0.5).astype(np.uint8)


def diverging(values: np.ndarray, limit: float) -> np.ndarray:
    """Messages and beliefs: PuOr centred at 0, clipped at -limit and limit. (...) -> (..., 3) uint8."""
    return colour_map("PuOr")[np.clip((np.asarray(values) / limit + 1) * 127.5 + 0.5, 0, 255).astype(np.intp)]


def probability(values: np.ndarray) -> np.ndarray:
    """Probabilities: cividis from 0 to 1. (...) -> (..., 3) uint8."""
    return colour_map("cividis")[np.clip(np.asarray(values) * 255 + 0.5, 0, 255).astype(np.intp)]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _scanlines(pixels: np.ndarray) -> bytes:
    """Rows of bytes, each as its difference from the row above (filter 2), deflated for speed: they are short-lived."""
    rows = np.empty((pixels.shape[0], pixels[0].size + 1), np.uint8)
    flat = pixels.reshape(pixels.shape[0], -1)
    rows[:, 0], rows[0, 1:] = 2, flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    return zlib.compress(rows, 1)


def _assemble(width: int, height: int, colour_type: int, chunks: bytes) -> bytes:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunks + _chunk(b"IEND", b"")


def png(pixels: np.ndarray) -> bytes:
    """Pack (height, width) grey or (height, width, 3) RGB uint8 pixels as a PNG.

    Raises:
        ValueError: the array has another type or shape.
    """
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] != 3):
        raise ValueError(
            f"pixels: expected uint8 of shape (height, width) or (height, width, 3), got {pixels.dtype} "
            f"of shape {pixels.shape}; scale to 0..255 and convert with astype(np.uint8)"
        )
    height, width = pixels.shape[:2]
    return _assemble(width, height, 0 if pixels.ndim == 2 else 2, _chunk(b"IDAT", _scanlines(pixels)))


def indexed_png(indices: np.ndarray, palette: np.ndarray) -> bytes:
    """Pack an image of palette entries: indices (height, width) uint8, palette (at most 256, 3) uint8."""
    height, width = indices.shape
    colours = _chunk(b"PLTE", np.ascontiguousarray(palette, np.uint8).tobytes())
    return _assemble(width, height, 3, colours + _chunk(b"IDAT", _scanlines(indices)))


class Canvas:
    """A matplotlib figure that is kept, and repainted in milliseconds.

    Args:
        width, height: size on the page in CSS pixels.
        density: image pixels for a CSS pixel; 2 is sharp on dense screens and costs four times the pixels of 1.
    """

    def __init__(self, width: int, height: int, density: float = 1.5):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height, self.density = width, height, density
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72 * density, facecolor="white")
        self._agg = FigureCanvasAgg(self.figure)
        self._moving: list = []
        self._background = None

    def axes(self, left: float, bottom: float, width: float, height: float):
        """Axes at a place given in fractions of the figure, in the kit's plain look."""
        axes = self.figure.add_axes((left, bottom, width, height))
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set(color=FAINT, linewidth=0.8)
        axes.tick_params(color=FAINT, labelcolor=INK, labelsize=11, width=0.8, length=3)
        return axes

    def moving(self, *artists):
        """Declare the artists that change from picture to picture, in drawing order."""
        for artist in artists:
            artist.set_animated(True)
        self._moving.extend(artists)

    def redraw(self):
        """Forget the kept background: call it after changing anything that does not move (limits, ticks, labels)."""
        self._background = None

    def pixels(self) -> np.ndarray:
        """The picture now, (height, width, 3) uint8."""
        if self._background is None:
            self._agg.draw()
            self._background = self._agg.copy_from_bbox(self.figure.bbox)
        else:
            self._agg.restore_region(self._background)
        for artist in self._moving:
            artist.axes.draw_artist(artist)
        painted = np.asarray(self._agg.buffer_rgba())
        pixels = np.empty((*painted.shape[:2], 3), np.uint8)
        for channel in range(3):  # four times as fast as a copy of [..., :3]
            pixels[..., channel] = painted[..., channel]
        return pixels

    def png(self) -> bytes:
        """The picture now, packed."""
        return png(self.pixels())
