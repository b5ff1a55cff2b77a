"""Types in public signatures, for type checkers; wrong arguments are met by the checks at the door.

Results are NumPy's outside of `jit`, and are typed so. Inside, JAX arrays with the same methods take their place, for
which there is no type of its own.
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
    """Numbers in any form: nested lists, arrays of NumPy or JAX (traced ones too), single numbers."""
    Number: TypeAlias = float | np.floating[Any] | np.integer[Any] | jax.Array
    """One number: Python's, NumPy's, or a JAX array of shape (), which may be traced."""
    PyTree: TypeAlias = Any
    """Arrays in nested tuples, dicts and modules: type checkers do not know jaxtyping's."""
    Optimizer: TypeAlias = optax.GradientTransformation
else:  # at run time names alone, so that `help` shows short signatures
    ArrayLike = NewType("ArrayLike", object)
    Number = NewType("Number", object)
    PyTree = jaxtyping.PyTree
    Optimizer = NewType("Optimizer", object)

NamedArrays: TypeAlias = Mapping[str, ArrayLike]
"""Arrays by block name: evidence, data, samples."""
States: TypeAlias = NDArray[np.int32]
"""States of variables, as results."""
Floats: TypeAlias = NDArray[np.floating[Any]]
"""Numbers of JAX's precision, as results."""
Path: TypeAlias = str | os.PathLike[str]
Shape: TypeAlias = tuple[int, ...] | list[int]
