"""Type aliases of the public signatures, for type checkers. Arguments are checked at run time by `checks`.

Outside `jit`, results are NumPy arrays, and they are typed as such. Inside `jit`, results are JAX arrays, which have
the same methods but no separate type here.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NewType, TypeAlias

import jax
import jaxtyping
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import numpy.typing
    import optax

    ArrayLike: TypeAlias = numpy.typing.ArrayLike | jax.Array
    """Numbers in any form: nested lists, NumPy arrays, JAX arrays (also traced ones), single numbers."""
    Number: TypeAlias = float | np.floating[Any] | np.integer[Any] | jax.Array
    """One number: a Python number, a NumPy number, or a JAX array of shape (), which may be traced."""
    PyTree: TypeAlias = Any
    """Arrays in nested tuples, dicts and modules. Type checkers do not support the PyTree of jaxtyping."""
    Optimizer: TypeAlias = optax.GradientTransformation
else:  # at run time only names, so that `help` shows short signatures
    ArrayLike = NewType("ArrayLike", object)
    Number = NewType("Number", object)
    PyTree = jaxtyping.PyTree
    Optimizer = NewType("Optimizer", object)

NamedArrays: TypeAlias = Mapping[str, ArrayLike]
"""Arrays by block name: evidence, data, samples."""
States: TypeAlias = NDArray[np.int32]
"""States of variables in results."""
Floats: TypeAlias = NDArray[np.floating[Any]]
"""Floating-point numbers in results, in JAX's precision."""
Path: TypeAlias = str | os.PathLike[str]
Shape: TypeAlias = tuple[int, ...] | list[int]
