"""How pixels travel to the page: what differs from one image or row to the next, deflated; `wire.js` inflates it."""

from __future__ import annotations

import math
import pathlib
import zlib

import numpy as np
from jaxtyping import UInt8

_HERE = pathlib.Path(__file__).parent


BLOCK = 48  # bytes: sixteen pixels of three colours


def squeeze(images: UInt8[np.ndarray, "N ..."]) -> bytes:
    """Images or rows: the first, then what differs (exclusive or) from the one before, which is mostly 0.

    Blocks that are all 0 are left out: a bit for each block says which ones (in words of 32 bits), then come those
    that are told, all of it deflated.
    """
    count = -(-images.size // BLOCK)
    flat = np.zeros(count * BLOCK, np.uint8)
    changes = flat[: images.size].reshape(images.shape)
    changes[0] = images[0]
    np.bitwise_xor(images[1:], images[:-1], out=changes[1:])
    blocks = flat.reshape(count, BLOCK)
    told = np.zeros(-(-count // 32) * 32, bool)
    told[:count] = blocks.view(np.uint64).any(axis=1)
    return zlib.compress(np.packbits(told, bitorder="little").tobytes() + blocks[told[:count]].tobytes(), 2)


def expand(sent: bytes, shape: tuple[int, ...]) -> UInt8[np.ndarray, "N ..."]:
    """The images that `squeeze` made this of."""
    size = math.prod(shape)
    count = -(-size // BLOCK)
    words = -(-count // 32)
    told = np.frombuffer(zlib.decompress(sent), np.uint8)
    blocks = np.zeros((count, BLOCK), np.uint8)
    which = np.unpackbits(told[: 4 * words], count=count, bitorder="little").astype(bool)
    blocks[which] = told[4 * words :].reshape(-1, BLOCK)
    return np.bitwise_xor.accumulate(blocks.reshape(-1)[:size].reshape(shape), axis=0)


def script(name: str) -> str:
    """The source of a widget that reads what `squeeze` made."""
    return "".join((_HERE / file).read_text(encoding="utf-8") for file in ("wire.js", name))
