"""Moments E[d score / d parameters] over data and over samples, which maximum likelihood makes equal (Eq. 3)."""

from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks, parameters, planes
from ..engine.arrays import is_traced, refuse_traced
from ..engine.planes import Planes
from ..engine.signatures import ArrayLike, NamedArrays
from ..factors.base import float_leaves
from ..factors.table import AbstractTable
from ..graph import AnyModel, as_graph
from ..variables import FREE
from .data import ROWS_AT_ONCE, all_known, as_planes, checked_weights, complete_data, refuse_impossible


def data_moments(model: AnyModel, data: NamedArrays, weights: ArrayLike | None = None) -> AnyModel:
    """Return the moments E[d score / d parameters] of a data set (Eq. 3), for `fit(..., moments=...)`.

    If the score is linear in the parameters, the moments are sufficient statistics: they do not depend on the
    parameters, and `fit` does not need the data. This holds for all models of pmp_kit except for some `Custom` factors.
    `fit` raises ValueError for other models. With hidden variables the moments depend on the parameters, so all states
    must be known.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE.
        weights: how often each data point counts, (N,), at least 0; by default all alike. Their scale does not matter.

    Returns: a model of the same form with moments in place of parameters, like `exact.moments`. Cost: N scores and
    their gradient.

    Raises: TypeError or ValueError that names the argument; ValueError if a block is missing, an entry is FREE, or
    there is no data.
    """
    refuse_traced("data_moments", data)
    graph, model = as_graph(model), parameters.required(model)
    flat = complete_data(graph, data, "use fit(key, model, data), which samples hidden variables")
    shares = checked_weights(weights, len(flat))
    counts = np.ones(len(flat)) if shares is None else len(flat) * shares
    total = None
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        part = _moment_sum(model, jnp.asarray(flat[rows], jnp.int32), jnp.asarray(counts[rows], graph.unaries.dtype))
        total = part if total is None else jax.tree.map(jnp.add, total, part)
    return jax.tree.map(lambda x: x / len(flat), total)


def log_likelihood_gradient(model: AnyModel, data: NamedArrays, samples: NamedArrays) -> AnyModel:
    """Return the gradient of the mean log-likelihood (Eq. 3), estimated from samples of the model.

        1/N sum_n d score(x_n) - 1/S sum_s d score(x_s),   x_n: data,  x_s ~ p

    At a maximum, the moments E[d score / d parameters] of data and samples are equal. It works inside `jit` and `vmap`.
    `fit` climbs this gradient. An optax optimiser descends: give it the negative gradient.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE. Complete data with hidden
            variables first: `pk.sample(key, model, sampler, evidence=data, ...)` draws them given the known states.
        samples: states of the model, such as `Samples`, dict block name -> states (S, *shape).

    Returns: a model of the same form with the gradient in place of parameters. A coupling that is stored twice (w_ij
        and w_ji of a dense model) has half of it in both places. Cost: N + S scores and their gradient.

    Raises: TypeError or ValueError that names the argument; ValueError if the model forbids a data point. Inside `jit`,
        the gradient is NaN if an entry is FREE.
    """
    graph, model = as_graph(model), parameters.as_arrays(model)
    points, drawn = all_known(graph, data, "data"), all_known(graph, samples, "samples")
    if not is_traced(points):
        refuse_impossible("data", np.asarray(points), graph)
    return score_gradient(model, partial(mean_score, states=as_planes(graph, points)), as_planes(graph, drawn))


def score_gradient(model: AnyModel, positive: Callable[[AnyModel], Array] | None, negative: Planes) -> AnyModel:
    """Return the gradient of `positive`, a function of the model (None: 0), minus that of the mean score of samples."""

    def objective(model):
        value = mean_score(model, negative)
        return -value if positive is None else positive(model) - value

    return eqx.filter_grad(objective)(model)


def mean_score(model, states: Planes) -> Float[Array, ""]:
    """Return the mean score of planes of states (planes, n, N); forbidden parts count 0 and have no gradient."""
    return model.graph().finite_score(states).mean()


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
    graph = model.graph()
    states = as_planes(graph, jnp.where(known == FREE, 0, known))
    unaries = planes.clamp(graph.planes(), known.T)
    where = jax.tree.map(lambda row: row[0], graph.locate(hidden[None]))
    p = jax.lax.stop_gradient(planes.means(graph.conditional(states, unaries, hidden, where)))
    field = planes.from_scores(graph.unaries)[:, hidden, None]  # finite also for forbidden and excluded states
    field, _ = graph.finite_conditional(states, jnp.broadcast_to(field, p.shape), hidden, where)
    return mean_score(graph, states) + jnp.sum((p - states[:, hidden]) * field) / known.shape[0]


def check_moments(moments, model) -> None:
    """Raise ValueError unless moments are finite and have the form and the shapes of the model's parameters."""
    own = eqx.filter(model, eqx.is_inexact_array)
    if jax.tree.structure(moments) != jax.tree.structure(own):
        raise ValueError(
            "moments: expected the form of the model's parameters, as exact.moments returns it, got "
            f"{checks.describe(moments)}"
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

    The check compares the gradient of the score of a few random states at two parameter values. They may miss a state
    in which the score is not linear, so the parameters of the graph and the tables, as functions of the parameters of
    the model, are compared half-way between the two. Each number moves by an amount of its own: a softmax, for example,
    does not change if all move alike.
    """
    graph = model.graph()
    shape = 8, graph.variables.count
    draw = np.random.default_rng(0)
    states = draw.integers(0, graph.variables.cardinalities, shape).astype(np.int32)
    move = lambda x: (1.5 * x + draw.random(np.shape(x))).astype(x.dtype) if eqx.is_inexact_array(x) else x  # noqa: E731
    moved = jax.tree.map(move, model)
    halfway = jax.tree.map(lambda x, y: 0.5 * (x + y) if eqx.is_inexact_array(x) else x, model, moved)
    start, end, middle = (_potentials(m) for m in (model, moved, halfway))
    pairs = [(0.5 * (one + other), between) for one, other, between in zip(start, end, middle, strict=True)]
    pairs += zip(*(jax.tree.leaves(_moment_sum(m, jnp.asarray(states), 1.0)) for m in (model, moved)), strict=True)
    if not all(np.allclose(one, other, rtol=1e-3, atol=1e-3) for one, other in pairs):
        raise ValueError(
            "moments: expected a model whose score is linear in its parameters, got a gradient that depends on them; "
            "use data instead, because the moments of this model change during learning"
        )


@jax.jit
def _potentials(model) -> list[Array]:
    """Return the unaries and what the scores of the factors are linear in: tables of all states, or parameters."""
    graph = model.graph()
    tables = [[f.own_table()] if isinstance(f, AbstractTable) else float_leaves(f) for f in graph.factors]
    return [graph.unaries, *(table for of_factor in tables for table in of_factor)]


@jax.jit
def _moment_sum(model, states, counts):
    def total_score(model):
        graph = model.graph()
        return (counts * graph.finite_score(as_planes(graph, states))).sum()

    return eqx.filter_grad(total_score)(model)
