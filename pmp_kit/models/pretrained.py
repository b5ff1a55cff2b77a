"""Weights that come with the kit, trained by the kit itself (`python -m pmp_kit.train_digits`)."""

import importlib.resources
import io

import numpy as np

from .rbm import RBM

NAMES = ("digits_rbm",)


def pretrained(name: str) -> RBM:
    """A trained model.

    Args:
        name: "digits_rbm", an RBM of scikit-learn's 8 x 8 digits with 96 hidden variables. Its training left out every
            fifth digit.
    """
    if name not in NAMES:
        raise ValueError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    file = importlib.resources.files("pmp_kit") / "data" / f"{name}.npz"
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
        weight, visible_bias, hidden_bias = (arrays[part] for part in ("weight", "visible_bias", "hidden_bias"))
        return RBM(weight, visible_bias, hidden_bias, tuple(int(size) for size in arrays["visible"]))
