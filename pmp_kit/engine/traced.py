"""Arrays whose values are unknown, because JAX traces them inside `jit`, `vmap` and `grad`."""

from typing import Any

import jax
import jax.core
import numpy as np

from . import remember


def is_traced(array) -> bool:
    """Return whether `array` is traced (inside `jit` or `grad`), so that only its shape can be checked."""
    return isinstance(array, jax.core.Tracer)


def contains_traced(value) -> bool:
    """Return whether an array, or some number of nested lists, is traced."""
    return any(map(is_traced, jax.tree.leaves(value)))


_zero = jax.jit(lambda: 0)


@remember.for_these_objects
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
