"""Pairwise models in one form, for `MPLP`, the solvers on the host and `ForwardBackward`.

The form is score(x) = sum_i u_i(x_i) + sum_e theta_e(x_i, x_j) with the same number C of states for all variables. A
state that a variable does not have, or that the evidence excludes, has u = -inf (`planes.counted`). A forbidden pair of
states has theta = -inf. `normal_form` is the form with state 0 as the reference, in NumPy with 64-bit precision.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import planes
from ..engine.checks import described
from ..engine.planes import Planes
from ..factors import AbstractFactor
from ..graph import FactorGraph


class PairModel(NamedTuple):
    """All factors of a graph as pairs of variables with tables, and its unaries as scores."""

    pairs: Int[Array, "E 2"]
    tables: Float[Array, "E C C"]
    scores: Float[Array, "C n *batch"]


def pair_model(graph: FactorGraph, unaries: Planes) -> PairModel:
    """Return a graph with these unaries as pairs. Raise ValueError if some factor is not pairwise."""
    return PairModel(*pair_tables(graph), planes.counted(unaries, graph.variables.num_states))


def pair_tables(graph: FactorGraph) -> tuple[Int[Array, "E 2"], Float[Array, "E C C"]]:
    """Return all factors of a graph as pairs and tables. Raise ValueError if some factor is not pairwise."""
    states = graph.variables.num_states
    pairs, tables = [jnp.zeros((0, 2), jnp.int32)], [jnp.zeros((0, states, states), graph.unaries.dtype)]
    for factor in graph.factors:
        own, table = _checked_tables(factor, states)
        missing = [(0, 0), *((0, states - size) for size in table.shape[1:])]
        pairs.append(own.astype(jnp.int32))
        tables.append(jnp.pad(table, missing))
    return jnp.concatenate(pairs), jnp.concatenate(tables)


def _checked_tables(factor: AbstractFactor, states: int) -> tuple[Int[Array, "P 2"], Float[Array, "P C1 C2"]]:
    """Return `pair_tables`. Raise ValueError unless there is a table for each pair, of at most `states` states."""
    got = factor.pair_tables()
    if isinstance(got, tuple) and len(got) == 2 and jnp.ndim(got[1]) == 3:
        pairs, table = got
        if jnp.shape(pairs) == (len(table), 2) and max(table.shape[1:]) <= states:  # JAX limits indices silently
            return pairs, table
    raise ValueError(
        f"{type(factor).__name__}.pair_tables: expected pairs (P, 2) and a table for each of them (P, C1, C2), with at "
        f"most {states} states, got {described(got)}"
    )


def pair_arrays(graph: FactorGraph) -> tuple[np.ndarray, np.ndarray]:
    """Return `pair_tables` as NumPy arrays, also while JAX traces a function that uses a graph from outside."""
    with jax.ensure_compile_time_eval():
        pairs, tables = jax.jit(pair_tables)(graph)
    return np.asarray(pairs), np.asarray(tables)


class NormalForm(NamedTuple):
    """score(x) = constant + sum_i unaries_i(x_i) + sum_e tables_e(x_i, x_j), or -inf if a pair is forbidden."""

    pairs: np.ndarray
    """Ids (E, 2) with the lower id first; each pair occurs once."""
    tables: np.ndarray
    """(E, C, C), zero if either state is 0. For binary variables only [1, 1] is nonzero, and it is w_ij."""
    forbidden: np.ndarray
    """Which pairs of states have score -inf, (E, C, C) bool. Their -inf is replaced by 0 before the normal form."""
    unaries: np.ndarray
    """The part of the pair scores that depends on one variable, (C, n)."""
    constant: float
    largest: np.ndarray
    """The sum of the largest absolute scores of the tables of each pair, (E,), for the rounding error of `tables`."""


def merged(pairs: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each pair once with the lower id first, (E, 2), and the sum of its tables, (E, C, C).

    Nothing is subtracted, so tables may contain -inf. Cost: sorting the pairs.
    """
    tables = tables.astype(np.float64)
    swapped = pairs[:, 0] > pairs[:, 1]
    tables = np.where(swapped[:, None, None], tables.swapaxes(1, 2), tables)
    unique, place = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    total = np.zeros((len(unique), *tables.shape[1:]))
    np.add.at(total, place.reshape(-1), tables)
    return unique, total


def normal_form(pairs: np.ndarray, tables: np.ndarray, num_variables: int) -> NormalForm:
    """Return the normal form of pairs (E, 2) with tables (E, C, C), without pairs of constant score.

    Cost: that of `merged`.
    """
    finite = np.where(np.isfinite(tables), np.abs(tables), 0.0)
    _, largest = merged(pairs, finite.max((1, 2), keepdims=True, initial=0.0))
    pairs, tables = merged(pairs, tables)
    forbidden = np.isneginf(tables)
    tables = np.where(forbidden, 0.0, tables)
    corner = tables[:, 0, 0]
    first, second = tables[:, :, 0] - corner[:, None], tables[:, 0] - corner[:, None]
    unaries = np.zeros((num_variables, tables.shape[1]))
    np.add.at(unaries, pairs[:, 0], first)
    np.add.at(unaries, pairs[:, 1], second)
    rest = tables - corner[:, None, None] - first[:, :, None] - second[:, None]
    keep = ((rest != 0) | forbidden).any((1, 2))
    constant, largest = float(corner.sum()), largest[keep, 0, 0]
    return NormalForm(pairs[keep], rest[keep], forbidden[keep], unaries.T, constant, largest)
