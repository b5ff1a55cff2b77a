"""Moments: what maximum likelihood matches, E[d score / d parameters] over data and over samples (Eq. 3)."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import planes, validate
from ..engine.planes import Planes
from ..engine.signatures import NamedArrays
from ..graph import AnyModel, FactorGraph, as_graph
from ..variables import FREE

ROWS_AT_ONCE = 1000
"""Data points in one compiled call."""


def data_moments(model: AnyModel, data: NamedArrays) -> AnyModel:
    """E[d score / d parameters] over a data set (Eq. 3): computed once, `fit(..., moments=...)` needs the data no more.

    For models whose score is linear in their parameters (all that come with the kit, but for some `Custom` factors) it
    is the same at any parameters: sufficient statistics. `fit` refuses it for others. With hidden variables it is not,
    so all states must be known.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), every block named and no entry FREE.

    Returns:
        A model of the same form that holds moments, as `exact.moments`. Cost: N scores and their gradient.

    Raises:
        ValueError: a block is missing, an entry is FREE, or there is no data.
    """
    graph, model = as_graph(model), validate.parameters(model)
    flat = flat_data(graph, data)
    refuse_hidden("data", flat, graph, "give the data to fit, which samples what is hidden")
    refuse_impossible("data", flat, graph)
    total = None
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = flat[start : start + ROWS_AT_ONCE]
        part = _moment_sum(model, jnp.asarray(rows, jnp.int32))
        total = part if total is None else jax.tree.map(jnp.add, total, part)
    return jax.tree.map(lambda x: x / len(flat), total)


def difference(model: AnyModel, positive: Any, negative: Planes, moments: AnyModel | None) -> AnyModel:
    """Gradient to descend: E[d score] over samples of the model, minus the same over data (or the moments given).

    Args:
        positive: a function of the model, the score to be raised; None where there are `moments`.
        negative: samples of the model, planes of states.
    """

    def objective(model):
        value = mean_score(model, negative)
        return value if positive is None else value - positive(model)

    gradient = eqx.filter_grad(objective)(model)
    return gradient if moments is None else jax.tree.map(jnp.subtract, gradient, moments)


def mean_score(model, states: Planes) -> Float[Array, ""]:
    """The score of planes of states (planes, n, N), averaged; what is forbidden counts 0, and has no gradient."""
    return model.graph().finite_score(states).mean()


def as_planes(graph: FactorGraph, states: Int[Array, "N n"]) -> Planes:
    """Planes (planes, n, N) of states, in the number type of the parameters."""
    return planes.from_states(states.T, graph.variables.num_planes, graph.unaries.dtype)


def expected_score(model, known: Int[Array, "N n"], hidden: Int[Array, " H"]) -> Float[Array, ""]:
    """E[score] of data over the hidden variables given the rest, averaged: exact (Rao-Blackwellised) statistics.

    With x' the data and state 0 wherever hidden, score(x') + sum_i sum_c p(x_i = c) [score(x_i = c) - score(x'_i)].
    Exact for any factors where no factor joins two variables that are hidden at once (`check_apart`): each hidden
    variable then depends on known ones only. Its gradient leaves p alone. Cost: one conditional of each.

    Args:
        known: states, FREE where hidden.
        hidden: ids of all variables that are hidden somewhere.
    """
    graph = tied(model.graph())
    states = as_planes(graph, jnp.where(known == FREE, 0, known))
    unaries = planes.clamp(jnp.broadcast_to(graph.planes()[..., None], states.shape), known.T)
    where = jax.tree.map(lambda row: row[0], graph.locate(hidden[None]))
    p = jax.lax.stop_gradient(planes.means(graph.conditional(states, unaries, hidden, where)))
    field = planes.from_scores(graph.unaries)[:, hidden, None]  # finite, also where evidence or structure forbids
    for factor, row in zip(graph.factors, where, strict=True):
        field = field + factor.conditional(states, hidden, row)
    return mean_score(graph, states) + jnp.sum((p - states[:, hidden]) * field) / known.shape[0]


def tied(graph: FactorGraph) -> FactorGraph:
    """The graph with factors whose `conditional` has the gradient of their score."""
    return eqx.tree_at(lambda g: g.factors, graph, tuple(factor.tied() for factor in graph.factors))


def check_apart(graph: FactorGraph, flat: np.ndarray, hidden: np.ndarray) -> None:
    """Raise ValueError if, in some data point of (N, n), a factor joins two hidden variables. Wiring alone decides.

    Cost: a look at the wiring for each pattern of hidden variables.
    """
    patterns = np.packbits(flat[:, hidden] == FREE, axis=1)
    for row in np.sort(np.unique(patterns, axis=0, return_index=True)[1]):
        if any(factor.couples(flat[row] == FREE) for factor in graph.factors):
            raise ValueError(
                "positive: expected hidden variables that no factor joins, for positive='exact', but in data point "
                f"{row} some meet in one factor; give a sampler, such as positive=PMP()"
            )


def flat_data(graph: FactorGraph, data) -> np.ndarray:
    """Checked data as (N, n), in one byte a state where that is enough."""
    flat = graph.variables.flatten(data, argument="data")
    if flat.ndim != 2 or flat.shape[0] == 0:
        raise ValueError(f"data: expected arrays (N, *block shape) with N >= 1, got leading axes {flat.shape[:-1]}")
    return np.asarray(flat, np.int8 if graph.variables.num_states <= 127 else np.int32)


def refuse_impossible(name: str, flat: np.ndarray, graph: FactorGraph) -> None:
    """Raise ValueError if the model forbids a data point in which nothing is hidden. Cost: none for soft models."""
    if not graph.hard and graph.allowed is None:
        return
    complete = np.flatnonzero((flat != FREE).all(1))
    for start in range(0, len(complete), ROWS_AT_ONCE):
        rows = complete[start : start + ROWS_AT_ONCE]
        broken = np.asarray(_violations(graph, jnp.asarray(flat[rows], jnp.int32)))
        if broken.any():
            raise ValueError(
                f"{name}: expected states that the model allows, but data point {rows[np.argmax(broken > 0)]} has "
                "score -inf; leave such data points out, or soften the constraint or table that forbids them"
            )


def refuse_nonlinear(model) -> None:
    """Raise ValueError unless the gradient of the score, of a few random states, is the same at other parameters."""
    graph = model.graph()
    shape = 8, graph.variables.count
    states = np.random.default_rng(0).integers(0, graph.variables.cardinalities, shape).astype(np.int32)
    moved = jax.tree.map(lambda x: 1.5 * x + 0.5 if eqx.is_inexact_array(x) else x, model)
    pairs = zip(*(jax.tree.leaves(_moment_sum(m, jnp.asarray(states))) for m in (model, moved)), strict=True)
    if not all(np.allclose(one, other, rtol=1e-3, atol=1e-3) for one, other in pairs):
        raise ValueError(
            "moments: expected a model whose score is linear in its parameters, got a gradient that depends on them; "
            "its moments change while it learns, so give data instead"
        )


def refuse_hidden(name: str, flat: np.ndarray, graph: FactorGraph, instead: str) -> None:
    """Raise ValueError if any state is FREE."""
    if (flat == FREE).any():
        block = next(block for block, x in graph.variables.unflatten(flat).items() if (x == FREE).any())
        raise ValueError(f"{name}[{block!r}]: expected the states of all variables, got FREE (or no array); {instead}")


@jax.jit
def _violations(graph, states):
    return graph.violations(as_planes(graph, states))


@jax.jit
def _moment_sum(model, states):
    return eqx.filter_grad(lambda m: m.graph().finite_score(as_planes(m.graph(), states)).sum())(model)
