"""Files of samples, with what they score: pictures take a bit a pixel, numbers four bytes."""

import json
import os
import pathlib

import numpy as np


def pack(images: np.ndarray) -> np.ndarray:
    """Pictures of 0 and 1, (..., height, width), as (..., bytes)."""
    return np.packbits(images.astype(bool).reshape(*images.shape[:-2], -1), axis=-1)


def write(path: pathlib.Path, about: dict, arrays: dict) -> None:
    """Write arrays, "images" among them packed, and in JSON what made them; say how large the file is."""
    plain = {name: np.asarray(values) for name, values in arrays.items()}
    small: dict = {name: x.astype(np.float32) if x.dtype == np.float64 else x for name, x in plain.items()}
    np.savez_compressed(path, about=np.array(json.dumps(about)), **small)
    print(f"wrote {path}, {os.path.getsize(path) / 1000:.0f} kB")


def read(path: pathlib.Path, side: int) -> dict[str, np.ndarray]:
    """The arrays of a file, with "images" (..., side, side)."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    bits = np.unpackbits(arrays["images"], axis=-1, count=side**2)
    return arrays | {"images": bits.reshape(*bits.shape[:-1], side, side)}
