"""Unaries: the scores of single variables as one array of parameters, given as an array or a dict by block name."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from .engine import checks
from .engine.arrays import contains_traced, is_traced, on_device
from .engine.signatures import ArrayLike, NamedArrays
from .factors.forbidden import check_rounding, finite_part
from .variables import Variables


def unary_parameters(
    variables: Variables, unaries: ArrayLike | NamedArrays | None, argument: str = "unaries"
) -> tuple[Float[Array, "n C"], Bool[Array, "n C"] | None]:
    """Return the checked unaries (n, C), with 0 for forbidden states, and a mask of the allowed states.

    The mask is None if all states are allowed. Raises: TypeError or ValueError that names the argument, or a variable
    without an allowed state. `argument` is this name.
    """
    shape = (variables.count, variables.num_states)
    if unaries is None:
        return checks.parameter(argument, np.zeros(shape)), None
    scores = _joined(variables, unaries, argument) if isinstance(unaries, Mapping) else unaries
    value, allowed = finite_part(argument, scores)
    if value.shape != shape:
        block = f"{{{variables.names[0]!r}: ...}}"
        raise ValueError(
            f"{argument}: expected shape {shape}, got {value.shape}; write {block} for an array in the shape of a block"
        )
    if allowed is None or isinstance(allowed, jax.Array):
        return value, allowed
    left = (allowed & (np.arange(shape[1]) < variables.cardinalities[:, None])).any(1)
    if not left.all():
        raise ValueError(
            f"{argument}: expected a possible state of each variable, got -inf for all states of variable "
            f"{left.argmin()}"
        )
    return value, on_device(allowed)


def _joined(variables: Variables, unaries: Mapping, argument: str):
    """Return scores (n, C), joined from the scores of the blocks."""
    given = {name: _block_scores(variables, name, value, argument) for name, value in unaries.items()}
    xp = jnp if contains_traced(given) else np  # NumPy compiles nothing for new shapes
    rows = []
    for name, block in variables.blocks:
        part = given.get(name, np.zeros((block.size, block.states)))
        rows.append(xp.pad(part, ((0, 0), (0, variables.num_states - block.states))))
    return xp.concatenate(rows)


def _block_scores(variables: Variables, name: str, value, argument: str):
    """Return the checked scores of one block, (size, states), -inf for forbidden states."""
    variables.check_name(argument, name)
    ids, block = variables[name], dict(variables.blocks)[name]
    label = f"{argument}[{name!r}]"
    array = _numbers(label, value)
    xp = jnp if is_traced(array) else np
    if block.states == 2 and array.shape == ids.shape:
        surely_one = array == np.inf  # log-odds of +inf forbid state 0
        array = xp.stack([xp.where(surely_one, -np.inf, 0.0), xp.where(surely_one, 0.0, array)], axis=-1)
    if array.shape != (*ids.shape, block.states):
        odds = f" or {ids.shape} log-odds" if block.states == 2 else ""
        more = array.ndim > ids.ndim and array.shape[-ids.ndim - 1 :][1:] == ids.shape
        many = "; for many problems at once, build the graph inside jax.vmap" if more else ""
        raise ValueError(f"{label}: expected shape {(*ids.shape, block.states)}{odds}, got {array.shape}{many}")
    if xp is np:
        check_rounding(label, np.asarray(array))
        if np.isposinf(array).any():
            checks.parameter(label, np.where(np.isneginf(array), 0.0, array))  # raises, and names the entry
    return array.reshape(block.size, block.states)


def _numbers(label: str, value) -> Any:
    """Return a checked NumPy array of numbers, which may be infinite, or a traced array."""
    if contains_traced(value):
        return checks.parameter(label, value)
    array = checks.rectangular(label, value)
    if array.dtype.kind in "fiu":
        checks.parameter(label, np.where(np.isinf(array.astype(float)), 0.0, array))
        return array.astype(float)
    return np.asarray(checks.parameter(label, value))
