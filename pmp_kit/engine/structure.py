"""The structure of models and factors whose numbers have no values, because JAX traces them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp

from .traced import is_traced


@contextmanager
def structure(tree, number: float = 1.0) -> Iterator[Any]:
    """Give a graph or factor with one number in place of all traced ones; None if its wiring is traced.

    Inside, JAX computes at once what has values, also while it traces.
    """
    traced = [leaf for leaf in jax.tree.leaves(tree) if is_traced(leaf)]
    if any(jnp.issubdtype(leaf.dtype, jnp.integer) for leaf in traced):
        yield None
        return
    with jax.ensure_compile_time_eval():
        known = jax.tree.map(lambda leaf: jnp.full(leaf.shape, number, leaf.dtype) if is_traced(leaf) else leaf, tree)
        yield known if traced else tree
