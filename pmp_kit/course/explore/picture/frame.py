"""What one move sends to the page: a header in JSON, then the arrays. `unpack` in numbers.js reads it.

bytes 0-3     length of the header, uint32, little-endian
then          the header: {"arrays": {name: [type, shape, offset]}, other names: numbers, words, lists, null}
then          the arrays, each at a multiple of 8 bytes from the start

The types are f4 (float32), i4 (int32), u1 (bytes) and b1 (eight values of 0 and 1 in a byte, the first one highest).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

TYPES = {"f": "f4", "i": "i4", "u": "u1", "b": "b1"}
"""Kind of an array -> the type that is sent."""
STEP = 8


def pack(fields: Mapping[str, Any]) -> bytes:
    """Pack a state: arrays as float32, int32, bytes (uint8) or bits (bool); numbers, words and lists as JSON.

    Raises:
        TypeError: an array of another type.
        ValueError: a whole number that its type does not hold, or a number outside of arrays that is not finite.
    """
    arrays, plain, blocks, end = {}, {}, [], 0
    for name, value in fields.items():
        if not isinstance(value, np.ndarray):
            plain[name] = value.item() if isinstance(value, np.generic) else value
            continue
        kind = TYPES.get(value.dtype.kind)
        if kind is None:
            raise TypeError(f"{name}: expected an array of numbers, got {value.dtype}; convert it in `frame`")
        sent = np.packbits(value) if kind == "b1" else np.ascontiguousarray(value, f"<{kind}")
        if kind in ("i4", "u1") and (sent != value).any():
            raise ValueError(
                f"{name}: expected numbers that fit into {sent.dtype}, got {value.max()}; convert it in `frame`"
            )
        block = sent.tobytes()
        arrays[name] = [kind, value.shape, end]
        blocks.append(block + bytes(-len(block) % STEP))
        end += len(blocks[-1])
    header = json.dumps({"arrays": arrays, **plain}, allow_nan=False).encode()
    header += b" " * (-(len(header) + 4) % STEP)
    return struct.pack("<I", len(header)) + header + b"".join(blocks)


def unpack(sent: bytes) -> dict[str, Any]:
    """Return the fields again, for tests."""
    (length,) = struct.unpack_from("<I", sent)
    fields = json.loads(sent[4 : 4 + length])
    for name, (kind, shape, start) in fields.pop("arrays").items():
        count, offset = int(np.prod(shape)), 4 + length + start
        if kind == "b1":
            bits = np.unpackbits(np.frombuffer(sent, np.uint8, -(-count // 8), offset), count=count)
            fields[name] = bits.astype(bool).reshape(shape)
        else:
            fields[name] = np.frombuffer(sent, f"<{kind}", count, offset).reshape(shape)
    return fields
