"""Conversion of NumPy arrays to JAX arrays."""

import jax
import jax.numpy as jnp
import numpy as np

from .traced import is_traced


def on_device(array: np.ndarray | np.generic | jax.Array) -> jax.Array:
    """Return a NumPy array as a JAX array of the nearest type. JAX arrays are returned unchanged.

    The type is named, because without it, or where it differs, `jnp.asarray` compiles a program for each new shape. The
    array has values also inside `jit`, so wiring can be checked there.
    """
    if isinstance(array, jax.Array):
        return array
    dtype = jax.dtypes.canonicalize_dtype(array.dtype)
    array = np.asarray(array, dtype)
    result = jnp.asarray(array, dtype)
    if is_traced(result):
        with jax.ensure_compile_time_eval():
            return jnp.asarray(array, dtype)
    return result
