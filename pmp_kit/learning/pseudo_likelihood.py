"""Pseudo-likelihood: learning without a sampler, as a reference for learning with samplers (Besag 1975)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import checks, parameters, planes
from ..engine.arrays import any_traced, outside_jit
from ..engine.signatures import NamedArrays, Number, Optimizer, Path
from ..graph import AnyModel, Model, as_graph
from ..samplers.chain import everywhere, fields
from . import ascent
from .ascent import FitResult, TrainingState
from .data import ROWS_AT_ONCE, all_known, as_planes, complete_data, drawn_rows

COMPLETE = "pseudo-likelihood needs the states of all variables; use fit"


def log_pseudo_likelihood(model: Model, data: NamedArrays) -> Any:
    """Return sum_i log p(x_i | all others), averaged over the data, in nats (Besag 1975; not in the paper).

    It works inside `jit` and `vmap` and is differentiable in the parameters of the model. There it is NaN if an entry
    of the data is FREE.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape), with every block and no entry FREE.

    Returns: a float; an array of shape () if it is traced. Cost: one conditional of every variable for each data point.

    Raises: TypeError or ValueError that names the argument; ValueError if a block is missing or an entry is FREE.
    """
    graph, model = as_graph(model), parameters.as_arrays(model)
    if any_traced((graph,), data):
        return _mean(model, all_known(graph, data, "data"))
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
    states = pseudo_training(key, model, data, optimizer=optimizer, batch_size=batch_size, l1=l1, l2=l2, resume=resume)
    return ascent.follow(states, model, steps, callback, "fit_pseudo_likelihood")


def pseudo_training(
    key: jax.Array, model: AnyModel, data: NamedArrays, *, optimizer: Optimizer | None = None, batch_size: int = 100,
    l1: Number = 0.0, l2: Number = 0.0, resume: TrainingState[AnyModel] | Path | None = None,
) -> Iterator[TrainingState[AnyModel]]:  # fmt: skip
    """Learn as `fit_pseudo_likelihood` does, step by step. The arguments and errors are those of that function.

    Returns: an endless generator, which yields the `TrainingState` after each step, like `training`.
    """
    outside_jit("fit_pseudo_likelihood", key, model, data)
    key, graph, model = checks.key(key), as_graph(model), parameters.required(model)
    rows = jnp.asarray(complete_data(graph, data, COMPLETE))
    objective = partial(_gradient, rows=rows, batch_size=checks.count("batch_size", batch_size))
    return ascent.ascend(key, model, objective, optimizer=optimizer, l1=l1, l2=l2, resume=resume)


@partial(jax.jit, static_argnames="batch_size")
def _gradient(key, model, chains, *, rows, batch_size: int):
    """Return the gradient of the mean log pseudo-likelihood of some data points, and no chains."""
    return eqx.filter_grad(_mean)(model, drawn_rows(key, rows, batch_size)), None


@jax.jit
def _score(model, states):
    return _mean(model, states)


def _mean(model, states) -> Float[Array, ""]:
    """Return the mean log pseudo-likelihood of states (N, n)."""
    graph = model.graph()
    x = as_planes(graph, states)
    unaries = jnp.broadcast_to(graph.planes()[..., None], x.shape)
    return planes.log_probability(fields(graph, unaries, x, everywhere(graph)), x).mean()
