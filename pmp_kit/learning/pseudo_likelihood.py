"""Pseudo-likelihood: learning without a sampler, as a reference for learning with samplers (Besag 1975)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Never

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import parameters, planes, validate
from ..engine.signatures import NamedArrays, Number, Optimizer, Path
from ..engine.traced import outside_jit
from ..graph import AnyModel, Model, as_graph
from ..samplers.chain import everywhere, fields
from . import ascent
from .ascent import FitResult, TrainingState
from .data import ROWS_AT_ONCE, as_planes, complete_data

COMPLETE = "pseudo-likelihood needs the states of all variables; use fit"


def log_pseudo_likelihood(model: Model, data: NamedArrays) -> float:
    """Return sum_i log p(x_i | all others), averaged over the data, in nats (Besag 1975; not in the paper).

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE.

    Cost: one conditional of every variable for each data point.

    Raises: TypeError or ValueError that names the argument; ValueError if a block is missing or an entry is FREE.
    """
    outside_jit("log_pseudo_likelihood", model, data)
    graph, model = as_graph(model), parameters.required(model)
    flat = complete_data(graph, data, COMPLETE)
    total = 0.0
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = jnp.asarray(flat[start : start + ROWS_AT_ONCE], jnp.int32)
        total += float(_score(model, rows)) * len(rows)
    return total / len(flat)


def fit_pseudo_likelihood(
    key: jax.Array, model: AnyModel, data: NamedArrays, *, steps: int,
    callback: Callable[[TrainingState[AnyModel]], Any] | None = None, optimizer: Optimizer | None = None,
    batch_size: int = 100, l1: Number = 0.0, l2: Number = 0.0, resume: TrainingState[AnyModel] | Path | None = None,
    **unknown: Never,
) -> FitResult[AnyModel]:  # fmt: skip
    """Learn the parameters of a model by gradient ascent on the pseudo-likelihood, without a sampler (Besag 1975).

    The gradient is exact up to the choice of data points. The objective is concave if the score is linear in the
    parameters. The estimator is consistent (with more and more data from a model, it converges to this model) if
    changes of single variables connect all possible states. Otherwise use `fit`: with `ExactlyK`, for example, the
    others determine each variable, so the gradient is 0. Cost of a step: one conditional of every variable for each
    data point.

    Args:
        key: a JAX key, for the choice of data points.
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE.
        steps, callback, optimizer, batch_size, l1, l2, resume: see `fit`.

    Returns: a `FitResult`; "gap" in its history is the root mean square of the gradient.

    Raises: TypeError or ValueError that names the argument; ValueError if an entry of the data is FREE.
    """
    states = pseudo_training(
        key, model, data, optimizer=optimizer, batch_size=batch_size, l1=l1, l2=l2, resume=resume, **unknown
    )
    return ascent.follow(states, model, steps, callback, "fit_pseudo_likelihood")


def pseudo_training(
    key: jax.Array, model: AnyModel, data: NamedArrays, *, optimizer: Optimizer | None = None, batch_size: int = 100,
    l1: Number = 0.0, l2: Number = 0.0, resume: TrainingState[AnyModel] | Path | None = None, **unknown: Never,
) -> Iterator[TrainingState[AnyModel]]:  # fmt: skip
    """Learn as `fit_pseudo_likelihood` does, step by step. The arguments and errors are those of that function.

    Returns: an endless generator, which yields the `TrainingState` after each step, like `training`.
    """
    ascent.refuse("fit_pseudo_likelihood", unknown, key, model, data)
    key, graph, model = validate.key(key), as_graph(model), parameters.required(model)
    rows = jnp.asarray(complete_data(graph, data, COMPLETE))
    batch_size = validate.count("batch_size", batch_size)
    penalties = validate.number("l1", l1, 0.0), validate.number("l2", l2, 0.0)
    optimizer = ascent.checked_optimizer(optimizer)
    state = TrainingState(0, model, optimizer.init(eqx.filter(model, eqx.is_inexact_array)), None, None)
    if resume is not None:
        state = ascent.resumed(resume, state._replace(gap=jnp.zeros((), graph.unaries.dtype)))
    return _steps(key, state, rows, penalties, batch_size, optimizer)


def _steps(key, state, rows, penalties, batch_size, optimizer) -> Iterator[TrainingState]:
    while True:
        now = jax.random.fold_in(key, state.step)
        gradient, gap = _gradient(now, state.model, rows, penalties, batch_size=batch_size)
        model, optimizer_state = ascent.update(gradient, state.model, state.optimizer_state, optimizer=optimizer)
        state = TrainingState(state.step + 1, model, optimizer_state, None, gap)
        yield state


@partial(jax.jit, static_argnames=("batch_size",))
def _gradient(key, model, rows, penalties, *, batch_size):
    """Return the gradient to descend, and its root mean square without the penalties."""
    number = jax.random.randint(key, (batch_size,), 0, len(rows))
    states = rows[number].astype(jnp.int32)
    gradient = eqx.filter_grad(lambda model: -_mean(model, states))(model)
    return ascent.add_penalty(gradient, model, *penalties), ascent.root_mean_square(gradient)


@jax.jit
def _score(model, states):
    return _mean(model, states)


def _mean(model, states) -> Float[Array, ""]:
    """Return the mean log pseudo-likelihood of states (N, n)."""
    graph = model.graph()
    x = as_planes(graph, states)
    unaries = jnp.broadcast_to(graph.planes()[..., None], x.shape)
    return planes.log_probability(fields(graph, unaries, x, everywhere(graph)), x).mean()
