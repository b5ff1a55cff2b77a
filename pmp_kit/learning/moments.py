"""Moments E[d score / d parameters] over data and over samples, which maximum likelihood makes equal (Eq. 3)."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import parameters, planes, validate
from ..engine.planes import Planes
from ..engine.signatures import NamedArrays
from ..engine.traced import refuse_traced
from ..factors.base import AbstractFactor
from ..graph import AnyModel, FactorGraph, as_graph
from ..variables import FREE, check_rows

ROWS_AT_ONCE = 1000
"""The number of data points in one compiled call."""


def data_moments(model: AnyModel, data: NamedArrays) -> AnyModel:
    """Return the moments E[d score / d parameters] of a data set (Eq. 3), for `fit(..., moments=...)`.

    If the score is linear in the parameters, the moments are sufficient statistics: they do not depend on the
    parameters, and `fit` does not need the data. This holds for all models of pmp_kit except for some `Custom` factors.
    `fit` raises ValueError for other models. With hidden variables the moments depend on the parameters, so all states
    must be known.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE.

    Returns: a model of the same form with moments in place of parameters, like `exact.moments`. Cost: N scores and
    their gradient.

    Raises: TypeError or ValueError that names the argument; ValueError if a block is missing, an entry is FREE, or
    there is no data.
    """
    refuse_traced("data_moments", data)
    graph, model = as_graph(model), parameters.required(model)
    flat = flat_data(graph, data)
    refuse_hidden(flat, graph, "use fit(key, model, data), which samples hidden variables")
    refuse_impossible("data", flat, graph)
    total = None
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = flat[start : start + ROWS_AT_ONCE]
        part = _moment_sum(model, jnp.asarray(rows, jnp.int32))
        total = part if total is None else jax.tree.map(jnp.add, total, part)
    return jax.tree.map(lambda x: x / len(flat), total)


def difference(model: AnyModel, positive: Any, negative: Planes, moments: AnyModel | None) -> AnyModel:
    """Return the gradient to descend: E[d score] over samples of the model minus E[d score] over data.

    Args:
        model: the model.
        positive: a function that returns the mean score of the data under a model; None with `moments`.
        negative: samples of the model, planes of states.
        moments: E[d score] over data, instead of `positive`.
    """

    def objective(model):
        value = mean_score(model, negative)
        return value if positive is None else value - positive(model)

    gradient = eqx.filter_grad(objective)(model)
    return gradient if moments is None else jax.tree.map(jnp.subtract, gradient, moments)


def mean_score(model, states: Planes) -> Float[Array, ""]:
    """Return the mean score of planes of states (planes, n, N); forbidden parts count 0 and have no gradient."""
    return model.graph().finite_score(states).mean()


def as_planes(graph: FactorGraph, states: Int[Array, "N n"]) -> Planes:
    """Return planes (planes, n, N) of states, in the number type of the parameters."""
    return planes.from_states(states.T, graph.variables.num_planes, graph.unaries.dtype)


def expected_score(model, known: Int[Array, "N n"], hidden: Int[Array, " H"]) -> Float[Array, ""]:
    """Return E[score] over the hidden variables given the data, averaged over data points (Rao-Blackwellised).

    Let x' be the data with state 0 for hidden variables. The expectation is

        score(x') + sum_i sum_c p(x_i = c) [score(x_i = c) - score(x'_i)].

    It is exact if no factor joins two hidden variables of a data point (`check_apart`), because each hidden variable
    then depends only on known variables. Its gradient is taken with constant p. Cost: one conditional of each hidden
    variable for each data point.

    Args:
        model: the model.
        known: states, FREE for hidden variables.
        hidden: ids of all variables that are hidden in some data point.
    """
    graph = tied(model.graph())
    states = as_planes(graph, jnp.where(known == FREE, 0, known))
    unaries = planes.clamp(jnp.broadcast_to(graph.planes()[..., None], states.shape), known.T)
    where = jax.tree.map(lambda row: row[0], graph.locate(hidden[None]))
    p = jax.lax.stop_gradient(planes.means(graph.conditional(states, unaries, hidden, where)))
    field = planes.from_scores(graph.unaries)[:, hidden, None]  # finite also for forbidden and excluded states
    for factor, row in zip(graph.factors, where, strict=True):
        field = field + factor.conditional(states, hidden, row)
    return mean_score(graph, states) + jnp.sum((p - states[:, hidden]) * field) / known.shape[0]


def tied(model: AnyModel) -> AnyModel:
    """Return the model with tied factors, whose `conditional` has the same gradient as their score."""

    def is_factor(part):
        return isinstance(part, AbstractFactor)

    return jax.tree.map(lambda part: part.tied() if is_factor(part) else part, model, is_leaf=is_factor)


def check_apart(graph: FactorGraph, flat: np.ndarray, hidden: np.ndarray) -> None:
    """Raise ValueError if a factor joins two hidden variables of a data point of (N, n), whatever its weights.

    Cost: one check of the wiring for each pattern of hidden variables.
    """
    patterns = np.packbits(flat[:, hidden] == FREE, axis=1)
    for row in np.sort(np.unique(patterns, axis=0, return_index=True)[1]):
        if any(factor.couples(flat[row] == FREE) for factor in graph.factors):
            raise ValueError(
                "positive: expected hidden variables that no factor joins, for positive='exact', but in data point "
                f"{row} some are joined by a factor; use a sampler such as positive=PMP()"
            )


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


def refuse_impossible(name: str, flat: np.ndarray, graph: FactorGraph) -> None:
    """Raise ValueError if the model forbids a data point, whatever the states of its hidden variables.

    For data points with hidden variables, the unaries are checked, and those groups of factors that contain no variable
    that is hidden in some data point. Cost: none for models without hard constraints.
    """
    if not graph.hard and graph.allowed is None:
        return
    known = flat != FREE
    hidden, complete = ~known.all(0), known.all(1)
    apart = tuple(factor for factor in graph.factors if not any(hidden[ids].any() for ids in factor.scopes))
    _refuse_rows(name, flat, np.flatnonzero(complete), graph)
    _refuse_rows(name, flat, np.flatnonzero(~complete), eqx.tree_at(lambda g: g.factors, graph, apart))


def _refuse_rows(name: str, flat: np.ndarray, numbers: np.ndarray, graph: FactorGraph) -> None:
    """Raise ValueError if the graph forbids a data point of these numbers; FREE entries get an allowed state."""
    possible = 0 if graph.allowed is None else np.asarray(graph.allowed).argmax(1)
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        rows = numbers[start : start + ROWS_AT_ONCE]
        filled = np.where(flat[rows] == FREE, possible, flat[rows])
        broken = np.asarray(violations(graph, jnp.asarray(filled, jnp.int32)))
        if broken.any():
            raise ValueError(
                f"{name}: expected states that the model allows, but data point {rows[np.argmax(broken > 0)]} has "
                "score -inf; remove such data points, or use finite scores in the constraint or table that forbids them"
            )


def check_moments(moments, model) -> None:
    """Raise ValueError unless moments are finite and have the form and the shapes of the model's parameters."""
    own = eqx.filter(model, eqx.is_inexact_array)
    if jax.tree.structure(moments) != jax.tree.structure(own):
        raise ValueError(
            "moments: expected the form of the model's parameters, as exact.moments returns it, got "
            f"{validate.describe(moments)}"
        )
    named = jax.tree_util.tree_leaves_with_path(own)
    for (place, leaf), moment in zip(named, jax.tree.leaves(moments), strict=True):
        name = f"moments{jax.tree_util.keystr(place)}"
        if np.shape(moment) != leaf.shape:
            raise ValueError(
                f"{name}: expected the shape {leaf.shape} of the parameter, got {np.shape(moment)}; compute the "
                "moments with a model of the same shapes"
            )
        if not np.isfinite(moment).all():
            raise ValueError(
                f"{name}: expected finite numbers, got NaN or infinity; look for 0 / 0 and inf - inf in what computes "
                "the moments"
            )


def refuse_nonlinear(model) -> None:
    """Raise ValueError unless the score is linear in the parameters.

    The check compares the gradient of the score of a few random states at two parameter values. Each number moves by an
    amount of its own: a softmax, for example, does not change if all move alike.
    """
    graph = model.graph()
    shape = 8, graph.variables.count
    draw = np.random.default_rng(0)
    states = draw.integers(0, graph.variables.cardinalities, shape).astype(np.int32)
    move = lambda x: (1.5 * x + draw.random(np.shape(x))).astype(x.dtype) if eqx.is_inexact_array(x) else x  # noqa: E731
    moved = jax.tree.map(move, model)
    pairs = zip(*(jax.tree.leaves(_moment_sum(m, jnp.asarray(states))) for m in (model, moved)), strict=True)
    if not all(np.allclose(one, other, rtol=1e-3, atol=1e-3) for one, other in pairs):
        raise ValueError(
            "moments: expected a model whose score is linear in its parameters, got a gradient that depends on them; "
            "use data instead, because the moments of this model change during learning"
        )


def refuse_hidden(flat: np.ndarray, graph: FactorGraph, instead: str) -> None:
    """Raise ValueError if any state is FREE."""
    if (flat == FREE).any():
        block = next(block for block, x in graph.variables.unflatten(flat).items() if (x == FREE).any())
        raise ValueError(f"data[{block!r}]: expected the states of all variables, got FREE (or no array); {instead}")


@jax.jit
def violations(graph, states):
    """Return the number of violated constraints of each row of states (N, n)."""
    return graph.violations(as_planes(graph, states))


@jax.jit
def _moment_sum(model, states):
    return eqx.filter_grad(lambda m: m.graph().finite_score(as_planes(m.graph(), states)).sum())(model)
