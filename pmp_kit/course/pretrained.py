"""Weights that come with the kit, trained by the kit itself; each file says by which command and settings."""

import importlib.resources
import io

import numpy as np

from ..models.rbm import RBM

NAMES = ("digits_rbm", "mnist_rbm_gibbs_reset", "mnist_rbm_pcd_1", "mnist_rbm_pcd_100", "mnist_rbm_pcd_1_constant")
NAMES += ("mnist_rbm_pmp",)


def pretrained(name: str) -> RBM:
    """A trained model.

    Args:
        name: "digits_rbm", an RBM of scikit-learn's 8 x 8 digits with 96 hidden variables. Its training left out every
            fifth digit. "mnist_rbm_" with "pmp", "gibbs_reset", "pcd_1", "pcd_1_constant" or "pcd_100": RBMs of MNIST's
            digits in 14 x 14 pixels (Section 5.5), each learned in this way; stored in a byte a weight.
    """
    if name not in NAMES:
        raise ValueError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    file = importlib.resources.files("pmp_kit.course") / "data" / f"{name}.npz"
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
        weight, visible_bias, hidden_bias = (arrays[part] for part in ("weight", "visible_bias", "hidden_bias"))
        if "weight_scale" in arrays:
            weight = weight * arrays["weight_scale"]
        return RBM(weight, visible_bias, hidden_bias, tuple(int(size) for size in arrays["visible"]))
