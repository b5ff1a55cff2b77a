"""Checks of the arrays that parts of one's own return: noise, a start, schedule, chain or solver.

They run while JAX traces, so they cost nothing in compiled code. Without them, a wrong shape that can be broadcast
gives wrong samples without an error.
"""

from typing import Any

import jax
import jax.numpy as jnp

from .signatures import PyTree


def same_form(what: str, got: PyTree, wanted: PyTree) -> Any:
    """Return `got`. Raise ValueError unless it has the structure of `wanted`, and arrays of its shapes and types.

    Args:
        what: what was returned, for the error: "MyChain.sweep".
        got: a pytree.
        wanted: a pytree of arrays, or of `jax.ShapeDtypeStruct`.
    """
    if jax.tree.structure(got) != jax.tree.structure(wanted) or jax.tree.map(_form, got) != jax.tree.map(_form, wanted):
        raise ValueError(f"{what}: expected {described(wanted)}, got {described(got)}")
    return got


def same_shape(what: str, got: Any, shape: tuple[int, ...]) -> Any:
    """Return `got`. Raise ValueError unless it is an array of this shape."""
    if not hasattr(got, "dtype") or jnp.shape(got) != shape:
        raise ValueError(f"{what}: expected an array of shape {shape}, got {described(got)}")
    return got


def finished(part: Any, state: PyTree, batch: int) -> Any:
    """Return `done` of a sampler or a solver. Raise ValueError unless it has a bool for each batch element."""
    return same_form(f"{type(part).__name__}.done", part.done(state), jax.ShapeDtypeStruct((batch,), bool))


def parts_of_run(what: str, got: Any, first: str, kind: type, batch: int) -> tuple[Any, Any, Any]:
    """Return what `run` of a sampler or a solver returned: a `kind`, a state, and the sweeps of each batch element.

    Args: `first`: the text for the first part. Raises: ValueError if the parts are others.
    """
    if not isinstance(got, tuple) or len(got) != 3 or not isinstance(got[0], kind):
        raise ValueError(f"{what}: expected ({first}, state, sweeps), got {described(got)}")
    used = got[2]
    if getattr(used, "shape", None) != (batch,) or not jnp.issubdtype(used.dtype, jnp.integer):
        raise ValueError(f"{what}: expected sweeps of form int32[{batch}], got {described(used)}")
    return got


def described(tree: PyTree) -> str:
    """Return a pytree as text, with types and shapes in place of arrays: "(float32[2, 3], int32[3])"."""
    return str(jax.tree.map(_form, tree)).replace("'", "")


def _form(leaf) -> str:
    """Return the type and the shape of an array as it would be in JAX, or the type of another object."""
    if not hasattr(leaf, "dtype"):
        return type(leaf).__name__
    known = isinstance(leaf, (jax.Array, jax.ShapeDtypeStruct))
    return f"{leaf.dtype if known else jax.dtypes.canonicalize_dtype(leaf.dtype)}{list(leaf.shape)}"
