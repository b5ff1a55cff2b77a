"""Arrays of NumPy and JAX: conversion, and what to do where JAX traces them (inside `jit`, `vmap` and `grad`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from . import identity_cache


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


def in_float64() -> Any:
    """Return a context in which JAX has 64-bit types, also inside compiled functions of 32-bit arrays."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    from jax.experimental import enable_x64  # before JAX 0.8  # pyright: ignore[reportAttributeAccessIssue]

    return enable_x64(True)


def is_traced(array) -> bool:
    """Return whether `array` is traced (inside `jit` or `grad`), so that only its shape can be checked."""
    return isinstance(array, jax.core.Tracer)


def contains_traced(value) -> bool:
    """Return whether an array, or some number of nested lists, is traced."""
    return any(map(is_traced, jax.tree.leaves(value)))


_zero = jax.jit(lambda: 0)


@identity_cache.by_identity
def hold_traced(*modules) -> bool:
    """Return whether any array in these modules, which are immutable, is traced."""
    return contains_traced(modules)


def any_traced(modules: tuple, *trees) -> bool:
    """Return whether any array in `modules` or `trees` is traced, or whether the call is inside `jit`.

    The modules are immutable, so their arrays are looked at once. Cost: microseconds.
    """
    return hold_traced(*modules) or contains_traced(trees) or is_traced(_zero())


def with_values(tree: Any, traced: bool) -> Any:
    """Return the arrays as NumPy arrays; traced arrays are returned unchanged."""
    return tree if traced else jax.tree.map(np.asarray, tree)


def refuse_traced(verb: str, *given) -> None:
    """Raise TypeError if any argument of the function `verb` is traced."""
    if contains_traced(given):
        raise TypeError(
            f"{verb}: expected arrays with values, got traced ones; call it outside jit, vmap and grad, or give it the "
            "arguments as constants there"
        )


def outside_jit(verb: str, *given) -> None:
    """Raise TypeError if any argument of the function `verb` is traced, or if the call is inside `jit`."""
    if any_traced((), *given):
        raise TypeError(f"{verb}: expected arrays with values, got traced ones; call it outside jit, vmap and grad")


@contextmanager
def known_structure(tree, number: float = 1.0) -> Iterator[Any]:
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
