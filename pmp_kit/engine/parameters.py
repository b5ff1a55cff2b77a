"""The parameters of a model (its floats and float arrays), and its settings."""

import dataclasses

import equinox as eqx
import jax
import numpy as np

from . import checks, identity_cache
from .arrays import on_device
from .signatures import PyTree

LARGEST = 1e20
"""The largest absolute value of a parameter, in nats. Sums then stay finite, and a violated constraint (1e30 nats, see
`factors/hard.py`) outweighs every score."""


def as_arrays(model):
    """Return a model whose Python and NumPy floats are JAX arrays in the default precision.

    Inside `jit` every float of a model is an array and so a parameter. This conversion makes it one outside as well.
    Weak types are removed: they would be gone after the first step of learning, which would compile everything again.
    """
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    floats = (float, np.floating)

    def converted(leaf):
        if isinstance(leaf, jax.Array) and getattr(leaf, "weak_type", False):  # keys have no such attribute
            return jax.lax.convert_element_type(leaf, leaf.dtype)
        is_float = isinstance(leaf, floats) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
        return on_device(np.asarray(leaf, precision)) if is_float else leaf

    return jax.tree.map(converted, model)


def settings(graph, model) -> list[list]:
    """Return [class, field, value] of the static fields of a model and its factors that are numbers or texts."""
    parts = [part for part in (model, *graph.factors) if dataclasses.is_dataclass(part)]
    static = [
        (part, field.name) for part in parts for field in dataclasses.fields(part) if field.metadata.get("static")
    ]
    found = [[type(part).__name__, name, getattr(part, name)] for part, name in static]
    return [row for row in found if isinstance(row[-1], (bool, int, float, str))]


def required(model):
    """Return `as_arrays` of a model.

    Raises: ValueError if it has no parameters, TypeError if some have 16 bits or `jit` cannot take the model.
    """
    model = as_arrays(model)
    refuse_half_precision(model)
    if not jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)):
        raise ValueError(
            f"model: expected a model with parameters, got {type(model).__name__} without any; derive it from "
            "eqx.Module, with floats or float arrays as fields"
        )
    _check_traced(model)
    return model


def _check_traced(model) -> None:
    """Raise TypeError if `.graph()` does not work inside `jit`, where all fields that are not static are traced."""
    try:
        jax.eval_shape(lambda model: model.graph(), model)
    except (TypeError, IndexError) as error:
        fields = jax.tree_util.tree_leaves_with_path(model)
        others = [(path, leaf) for path, leaf in fields if not eqx.is_inexact_array(leaf)]
        if not others:
            raise
        path, leaf = others[0]
        raise TypeError(
            f"model: expected fields that are parameters, or static ones, got {checks.describe(leaf)} in "
            f"{jax.tree_util.keystr(path)}, whose values are unknown where learning compiles .graph(); make it outside "
            "of the class, or a number, text or tuple in a field with equinox.field(static=True). Of a neural network, "
            "keep the first part of equinox.partition(network, equinox.is_inexact_array), and combine in .graph()"
        ) from error


def refuse_half_precision(model: PyTree) -> None:
    """Raise TypeError if a parameter has 16 bits, in which a violated constraint is infinite. It may be traced."""
    for path, leaf in jax.tree_util.tree_leaves_with_path(model):
        if eqx.is_inexact_array(leaf) and leaf.dtype.itemsize < 4:
            raise TypeError(
                f"model: expected parameters in float32 or float64, got {leaf.dtype} in "
                f"{jax.tree_util.keystr(path)}; write x.astype(jnp.float32)"
            )


@identity_cache.by_identity
def unusable(model: PyTree) -> list[str]:
    """Return the first number beyond LARGEST in each parameter of a model, as "nan in .factors[0].weight".

    A model that was seen before costs nothing.

    Raises: TypeError if a parameter has 16 bits.
    """
    refuse_half_precision(model)
    found = []
    for path, leaf in jax.tree_util.tree_leaves_with_path(model):
        if eqx.is_inexact_array(leaf) or isinstance(leaf, float):
            values = np.asarray(leaf).reshape(-1)
            wrong = values[~(np.abs(values) <= LARGEST)]
            found += [f"{value:g} in {jax.tree_util.keystr(path)}" for value in wrong[:1]]
    return found


def refuse_unusable(model: PyTree) -> None:
    """Raise ValueError if a parameter of a model is NaN or beyond LARGEST."""
    if wrong := unusable(model):
        raise ValueError(
            f"model: expected parameters of at most {LARGEST:g} nats, got {wrong[0]}; use a smaller learning rate, "
            "look for 0 / 0 and inf - inf in what computes them, and forbid states by -inf when you build the model"
        )
