"""The data of learning: as flat arrays and planes, and the checks of what a model and a method can learn from."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks, planes
from ..engine.arrays import any_traced, is_traced
from ..engine.planes import Planes
from ..engine.signatures import ArrayLike, NamedArrays
from ..factors.base import AbstractFactor
from ..graph import FactorGraph
from ..variables import FREE, check_rows

ROWS_AT_ONCE = 1000
"""The number of data points in one compiled call."""


def flat_data(graph: FactorGraph, data) -> np.ndarray:
    """Return the checked data as (N, n), with one byte per state if possible."""
    flat = graph.variables.flatten(data, argument="data")
    if not data:
        raise ValueError(
            "data: expected a dict of arrays by block name, got an empty one; write "
            f"{{{graph.variables.names[0]!r}: ...}} with the states of the data points"
        )
    check_rows("data", flat)
    if (flat == FREE).all():
        raise ValueError("data: expected some known states, got FREE everywhere; give the states that were observed")
    return np.asarray(flat, np.int8 if graph.variables.num_states <= 127 else np.int32)


def as_planes(graph: FactorGraph, states: Int[Array, "N n"]) -> Planes:
    """Return planes (planes, n, N) of states, in the number type of the parameters; NaN where traced ones are FREE."""
    found = planes.from_states(states.T, graph.variables.num_planes, graph.unaries.dtype)
    return jnp.where(states.T == FREE, jnp.nan, found) if is_traced(states) else found


def all_known(graph: FactorGraph, named: NamedArrays, argument: str) -> Any:
    """Return states of all variables by block name as (N, n). Raise ValueError if one is FREE and not traced."""
    return jnp.asarray(graph.variables.flatten_all(named, argument)).reshape(-1, graph.variables.count)


def drawn_rows(
    key: Array, data: Int[Array, "N n"], number: int, cumulative: Float[Array, " N"] | None = None
) -> Int[Array, "number n"]:
    """Return data points that are drawn with replacement: uniformly, or with the probabilities of `checked_weights`."""
    if cumulative is None:
        which = jax.random.randint(key, (number,), 0, len(data))
    else:
        uniform = jax.random.uniform(key, (number,), cumulative.dtype)
        which = jnp.minimum(jnp.searchsorted(cumulative, uniform, side="right"), len(data) - 1)
    return data[which].astype(jnp.int32)


def checked_weights(weights: ArrayLike | None, number: int) -> np.ndarray | None:
    """Return the weights of `number` data points, (N,), in 64-bit precision and with sum 1; None if there are none."""
    if weights is None:
        return None
    values = np.asarray(checks.parameter("weights", weights, (number,)), np.float64)
    if values.min() < 0.0 or values.sum() == 0.0:
        raise ValueError(
            f"weights: expected numbers of at least 0, and some above 0, got {values.min():g} to {values.max():g}; "
            "write 0 for data points that do not count"
        )
    return values / values.sum()


def complete_data(graph: FactorGraph, data, instead: str) -> np.ndarray:
    """Return `flat_data`. Raise ValueError if a state is FREE, or if the model forbids a data point."""
    flat = flat_data(graph, data)
    if (flat == FREE).any():
        block = next(block for block, x in graph.variables.unflatten(flat).items() if (x == FREE).any())
        raise ValueError(f"data[{block!r}]: expected the states of all variables, got FREE (or no array); {instead}")
    refuse_impossible("data", flat, graph)
    return flat


def refuse_impossible(name: str, flat: np.ndarray, graph: FactorGraph) -> None:
    """Raise ValueError if the model forbids a data point, whatever the states of its hidden variables.

    For data points with hidden variables, the unaries are checked, and those groups of factors that contain no variable
    that is hidden in some data point. Traced models are not checked. Cost: none for models without hard constraints.
    """
    if (not graph.hard and graph.allowed is None) or any_traced((graph,)):
        return
    known = flat != FREE
    hidden, complete = ~known.all(0), known.all(1)
    apart = tuple(factor for factor in graph.factors if not any(hidden[ids].any() for ids in factor.scopes))
    _refuse_rows(name, flat, np.flatnonzero(complete), graph)
    _refuse_rows(name, flat, np.flatnonzero(~complete), eqx.tree_at(lambda g: g.factors, graph, apart))


def _refuse_rows(name: str, flat: np.ndarray, numbers: np.ndarray, graph: FactorGraph) -> None:
    """Raise ValueError if the graph forbids a data point of these numbers; FREE entries get an allowed state."""
    possible = np.asarray(graph.allowed_states()).argmax(1)
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        rows = numbers[start : start + ROWS_AT_ONCE]
        filled = np.where(flat[rows] == FREE, possible, flat[rows])
        broken = np.asarray(violations(graph, jnp.asarray(filled, jnp.int32)))
        if broken.any():
            raise ValueError(
                f"{name}: expected states that the model allows, but data point {rows[np.argmax(broken > 0)]} has "
                "score -inf; remove such data points, or use finite scores in the constraint or table that forbids them"
            )


@jax.jit
def violations(graph, states):
    """Return the number of violated constraints of each row of states (N, n)."""
    return graph.violations(as_planes(graph, states))


def check_apart(graph: FactorGraph, flat: np.ndarray, hidden: np.ndarray) -> None:
    """Raise ValueError if a factor joins two hidden variables of a data point of (N, n), whatever its weights.

    Cost: one check of the wiring for each pattern of hidden variables.
    """
    patterns = np.packbits(flat[:, hidden] == FREE, axis=1)
    for row in np.sort(np.unique(patterns, axis=0, return_index=True)[1]):
        if any(_joins(factor, flat[row] == FREE) for factor in graph.factors):
            raise ValueError(
                "positive: expected hidden variables that no factor joins, for positive='exact', but in data point "
                f"{row} some are joined by a factor; use a sampler such as positive=PMP()"
            )


def _joins(factor: AbstractFactor, members: np.ndarray) -> bool:
    """Return whether a group joins two of the variables marked in `members` (n,) bool.

    The default `finite_score` and `violations` of a hard group do not add up over its factors: a violation of one hides
    the scores and violations of the others. So all of its variables are joined.
    """
    own, default = type(factor), AbstractFactor
    whole = own.finite_score is default.finite_score or own.violations is default.violations
    if factor.hard and whole:
        return members[np.unique(np.concatenate([ids.ravel() for ids in factor.scopes]))].sum() > 1
    return factor.couples(members)
