"""Trained weights and kept results that come with the kit. `README.md` beside this file says how each was made.

A file holds arrays, and under "about" a JSON text that says what made them.
"""

import io
import json
import pathlib
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...engine.files import replacing
from ...models.rbm import RBM

FOLDER = pathlib.Path(__file__).parent
ABOUT = "about"
LEVELS = 127  # the largest absolute value of a stored weight


def write(path: pathlib.Path, arrays: Mapping[str, Any], about: dict | None = None) -> None:
    """Store arrays and what made them, and print how large the file is."""
    store(path, arrays, about)
    print(f"wrote {path}, {path.stat().st_size / 1000:.0f} kB")


def store(path: pathlib.Path, arrays: Mapping[str, Any], about: dict | None = None) -> None:
    """Write arrays and what made them to a compressed .npz file, which appears only after it is complete."""
    named: dict[str, Any] = {name: np.asarray(values) for name, values in arrays.items()}
    if about is not None:
        named[ABOUT] = np.array(json.dumps(about))
    with replacing(path) as file:
        np.savez_compressed(file, **named)


def write_rbm(path: pathlib.Path, model: RBM, about: dict) -> None:
    """Write int8 weights with a scale for each hidden variable, float16 biases, and what made them."""
    weight = np.asarray(model.weight, np.float64)
    scale = np.abs(weight).max(0) / LEVELS
    arrays = {
        "visible": np.array(model.visible),
        "weight": np.rint(weight / scale).astype(np.int8),
        "weight_scale": scale.astype(np.float32),
        "visible_bias": np.asarray(model.visible_bias, np.float16),
        "hidden_bias": np.asarray(model.hidden_bias, np.float16),
    }
    write(path, arrays, about)


def read_rbm(path: pathlib.Path) -> RBM:
    """Return the RBM of a file that `write_rbm` wrote."""
    arrays, _ = read(path, ("weight", "weight_scale", "visible_bias", "hidden_bias", "visible"))
    weight = arrays["weight"] * arrays["weight_scale"]
    return RBM(weight, arrays["visible_bias"], arrays["hidden_bias"], tuple(int(size) for size in arrays["visible"]))


def read(path: pathlib.Path, names: Iterable[str] = ()) -> tuple[dict[str, np.ndarray], dict]:
    """Return the arrays of a file and what made them; `names` are those that it must hold.

    Raises: ValueError if it is damaged or lacks one of them; OSError if it cannot be read.
    """
    content = path.read_bytes()
    try:
        if (broken := zipfile.ZipFile(io.BytesIO(content)).testzip()) is not None:
            raise zipfile.BadZipFile(f"{broken} is damaged")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = dict(file)
    except Exception as error:  # zipfile and NumPy raise many types of errors for damaged files
        raise ValueError(
            f"{path}: expected a complete .npz file, got one that cannot be read ({error}); copy it again"
        ) from error
    if missing := sorted(set(names) - set(arrays)):
        raise ValueError(f"{path}: expected the arrays {', '.join(missing)}, got {', '.join(arrays)}; write it again")
    return arrays, json.loads(str(arrays.pop(ABOUT, "{}")))


def flat(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return row -> name -> values as one dict: "row: name" -> values."""
    return {f"{row}: {name}": values for row, found in rows.items() for name, values in found.items()}


def by_row(arrays: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Undo `flat`, and leave out arrays without a row."""
    rows: dict[str, dict[str, Any]] = {}
    for name, values in arrays.items():
        row, _, number = name.rpartition(": ")
        if row:
            rows.setdefault(row, {})[number] = values
    return rows


def packed(images: np.ndarray) -> np.ndarray:
    """Return pictures of 0 and 1, (..., height, width), in eight pixels a byte, (..., bytes)."""
    return np.packbits(images.astype(bool).reshape(*images.shape[:-2], -1), axis=-1)


def unpacked(bits: np.ndarray, side: int) -> np.ndarray:
    """Undo `packed`: (..., side, side) of 0 and 1."""
    pixels = np.unpackbits(bits, axis=-1, count=side**2)
    return pixels.reshape(*pixels.shape[:-1], side, side)


def single(arrays: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return arrays with floats of eight bytes in four."""
    plain = {name: np.asarray(values) for name, values in arrays.items()}
    return {name: x.astype(np.float32) if x.dtype == np.float64 else x for name, x in plain.items()}
