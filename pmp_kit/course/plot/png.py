"""PNG files of pixels, packed for speed: a picture of a slider lives for a moment."""

from __future__ import annotations

import struct
import zlib

import numpy as np


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
