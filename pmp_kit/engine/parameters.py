"""The parameters of a model: its floats and float arrays."""

import equinox as eqx
import jax
import numpy as np

from . import remember
from .arrays import on_device
from .signatures import PyTree

LARGEST = 1e20
"""The largest absolute value of a parameter, in nats. Sums then stay finite, and a violated constraint (1e30 nats, see
`factors/_parts/hard.py`) outweighs every score."""


def as_arrays(model):
    """Return a model whose Python and NumPy floats are JAX arrays in the default precision.

    Inside `jit` every float of a model is an array and so a parameter. This conversion makes it one outside as well.
    """
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    floats = (float, np.floating)

    def converted(leaf):
        is_float = isinstance(leaf, floats) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
        return on_device(np.asarray(leaf, precision)) if is_float else leaf

    return jax.tree.map(converted, model)


def required(model):
    """Return `as_arrays` of a model. Raise ValueError if it has no parameters."""
    model = as_arrays(model)
    if not jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)):
        raise ValueError(
            f"model: expected a model with parameters, got {type(model).__name__} without any; derive it from "
            "eqx.Module, with floats or float arrays as fields"
        )
    return model


@remember.for_these_objects
def unusable(model: PyTree) -> list[str]:
    """Return the first number beyond LARGEST in each parameter of a model, as "nan in .factors[0].weight".

    A model that was seen before costs nothing.
    """
    found = []
    for path, leaf in jax.tree_util.tree_leaves_with_path(model):
        if eqx.is_inexact_array(leaf):
            values = np.asarray(leaf).reshape(-1)
            wrong = values[~(np.abs(values) <= LARGEST)]
            found += [f"{value:g} in {jax.tree_util.keystr(path)}" for value in wrong[:1]]
    return found
