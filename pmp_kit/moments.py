"""Moments: what maximum likelihood matches, E[d score / d parameters] over data and over samples (Eq. 3)."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PyTree

from . import planes
from .graph import FactorGraph, as_graph
from .planes import Planes
from .variables import FREE

ROWS_AT_ONCE = 1000
"""Data points in one compiled call."""
TOLERANCE = 1e-3
"""Largest relative departure from a straight line that counts as rounding."""


def data_moments(model, data) -> PyTree:
    """E[d score / d parameters] over a data set (Eq. 3): computed once, `fit(..., moments=...)` needs the data no more.

    For models whose score is linear in their parameters (all that come with the kit) it is the same at any
    parameters: sufficient statistics. With hidden variables it is not, so all states must be known.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), every block named and no entry FREE.

    Returns:
        A model of the same form that holds moments, as `exact.moments`. Cost: N scores and their gradient.

    Raises:
        ValueError: a block is missing, an entry is FREE, or there is no data.
    """
    graph = as_graph(model)
    flat = flat_data(graph, data)
    refuse_hidden("data", flat, graph, "give the data to fit, which samples what is hidden")
    total = None
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = flat[start : start + ROWS_AT_ONCE]
        part = _moment_sum(model, jnp.asarray(rows, jnp.int32))
        total = part if total is None else jax.tree.map(jnp.add, total, part)
    return jax.tree.map(lambda x: x / len(flat), total)


def difference(model, positive: Planes | None, negative: Planes, moments: PyTree | None) -> PyTree:
    """Gradient to descend: E[d score] over samples of the model, minus the same over data (or the moments given)."""

    def objective(model):
        value = mean_score(model, negative)
        return value if positive is None else value - mean_score(model, positive)

    gradient = eqx.filter_grad(objective)(model)
    return gradient if moments is None else jax.tree.map(jnp.subtract, gradient, moments)


def mean_score(model, states: Planes) -> Float[Array, ""]:
    """The score of planes of states (planes, n, N), averaged."""
    return model.graph().score(states).mean()


def as_planes(graph: FactorGraph, states: Int[Array, "N n"]) -> Planes:
    """Planes (planes, n, N) of states, in the number type of the parameters."""
    return planes.from_states(states.T, graph.variables.num_planes, graph.unaries.dtype)


def expected_states(graph: FactorGraph, known: Int[Array, "N n"], hidden: Int[Array, " H"]) -> Planes:
    """Data with every hidden variable's mean given the rest in place of its state, (planes, n, N).

    Exact (Rao-Blackwellised) statistics of the positive phase, where `check_means` lets it pass: no factor joins two
    variables that are hidden at once, and the score is linear in each. Cost: one conditional of each hidden variable.

    Args:
        known: states, FREE where hidden.
        hidden: ids of all variables that are hidden somewhere.
    """
    states = as_planes(graph, jnp.where(known == FREE, 0, known))
    unaries = planes.clamp(jnp.broadcast_to(graph.planes()[..., None], states.shape), known.T)
    where = jax.tree.map(lambda row: row[0], graph.locate(hidden[None]))
    return states.at[:, hidden].set(planes.means(graph.conditional(states, unaries, hidden, where)))


def check_means(graph: FactorGraph, flat: np.ndarray, hidden: np.ndarray) -> None:
    """Raise ValueError unless means of hidden variables give exact expected statistics for all data (N, n).

    With random parameters, in every row, what a hidden variable hears must not depend on the other hidden ones, and
    the score must be a straight line between two settings of them: its expectation is then its value at the means.
    """
    for start in range(0, len(flat), ROWS_AT_ONCE):
        known = jnp.asarray(flat[start : start + ROWS_AT_ONCE], jnp.int32)
        with jax.default_matmul_precision("highest"):
            fine = np.asarray(_means_are_exact(jax.random.key(start), graph, known, jnp.asarray(hidden, jnp.int32)))
        if not fine.all():
            raise ValueError(
                "positive: expected hidden variables that no factor joins, for positive='exact', but in data point "
                f"{start + int(np.argmin(fine))} some meet in one factor; give a sampler, such as positive=PMP()"
            )


def flat_data(graph: FactorGraph, data) -> np.ndarray:
    """Checked data as (N, n), in one byte a state where that is enough."""
    flat = graph.variables.flatten(data, argument="data")
    if flat.ndim != 2 or flat.shape[0] == 0:
        raise ValueError(f"data: expected arrays (N, *block shape) with N >= 1, got leading axes {flat.shape[:-1]}")
    return flat.astype(np.int8 if graph.variables.num_states <= 127 else np.int32)


def refuse_hidden(name: str, flat: np.ndarray, graph: FactorGraph, instead: str) -> None:
    """Raise ValueError if any state is FREE."""
    if (flat == FREE).any():
        block = next(block for block, x in graph.variables.unflatten(flat).items() if (x == FREE).any())
        raise ValueError(f"{name}[{block!r}]: expected the states of all variables, got FREE (or no array); {instead}")


@jax.jit
def _moment_sum(model, states):
    return eqx.filter_grad(lambda m: m.graph().score(as_planes(m.graph(), states)).sum())(model)


@jax.jit
def _means_are_exact(key, graph: FactorGraph, known, hidden):
    """Whether each row passes the two tests of `check_means`, (N,)."""
    graph = _random_parameters(key, graph)
    last = jnp.asarray(graph.variables.cardinalities - 1, known.dtype)
    low, high = (as_planes(graph, jnp.where(known == FREE, fill, known)) for fill in (0, last))
    unaries = jnp.broadcast_to(graph.planes()[..., None], low.shape)
    where = jax.tree.map(lambda row: row[0], graph.locate(hidden[None]))
    one, other = (graph.conditional(states, unaries, hidden, where) for states in (low, high))
    heard = (one == other) | (jnp.abs(one - other) < TOLERANCE * (1.0 + jnp.abs(one)))
    ends = graph.score(low), graph.score(high)
    bend = jnp.abs(graph.score(0.5 * (low + high)) - 0.5 * (ends[0] + ends[1]))
    straight = bend < TOLERANCE * (1.0 + jnp.abs(ends[0]) + jnp.abs(ends[1]))
    return (heard | (known.T[hidden] != FREE)).all((0, 1)) & straight


def _random_parameters(key, graph: FactorGraph) -> FactorGraph:
    """Numbers between 1 and 2, so that no two parameters cancel."""
    parameters, wiring = eqx.partition(graph, eqx.is_inexact_array)
    leaves, form = jax.tree.flatten(parameters)
    keys = jax.random.split(key, len(leaves))
    leaves = [jax.random.uniform(k, leaf.shape, leaf.dtype, 1.0, 2.0) for k, leaf in zip(keys, leaves, strict=True)]
    return eqx.combine(jax.tree.unflatten(form, leaves), wiring)
