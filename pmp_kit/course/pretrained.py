"""Pretrained weights. This package trained them, and each file records the command and the settings."""

from ..models.rbm import RBM
from . import data

NAMES = ("digits_rbm", "mnist_rbm_gibbs_reset", "mnist_rbm_pcd_1", "mnist_rbm_pcd_100", "mnist_rbm_pcd_1_constant")
NAMES += ("mnist_rbm_pmp",)


def pretrained(name: str) -> RBM:
    """Load a pretrained model.

    Args:
        name: "digits_rbm" is an RBM of scikit-learn's digits in 16 x 16 pixels with 200 hidden variables, trained
            without every fifth digit. "mnist_rbm_" plus "pmp", "gibbs_reset", "pcd_1", "pcd_1_constant" or "pcd_100" is
            an RBM of MNIST digits in 14 x 14 pixels (Section 5.5). The suffix is the training method. All weights are
            stored as int8 with a scale for each hidden variable.

    Returns: an `RBM` with the blocks "v" and "h". Raises: ValueError for any other name.
    """
    if name not in NAMES:
        raise ValueError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    return data.read_rbm(data.FOLDER / f"{name}.npz")
