"""How pixels travel to the page: what differs from one image or row to the next, deflated; `wire.js` undoes it."""

from __future__ import annotations

import pathlib
import zlib

import numpy as np
from jaxtyping import UInt8

_HERE = pathlib.Path(__file__).parent


def squeeze(images: UInt8[np.ndarray, "N ..."]) -> bytes:
    """Images or rows, deflated: the first, then what differs (exclusive or) from the one before, which is mostly 0."""
    changes = images.copy()
    changes[1:] ^= images[:-1]
    return zlib.compress(changes, 3)


def script(name: str) -> str:
    """The source of a widget that reads what `squeeze` made."""
    return "".join((_HERE / file).read_text(encoding="utf-8") for file in ("wire.js", name))
