"""The verb fit: maximum likelihood by moments, for any model, with any sampler (Algorithm 1, Eq. 3)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from . import planes, run, validate
from .graph import as_graph
from .progress import bar
from .samplers import PMP, AbstractSampler
from .variables import FREE


class TrainingState(NamedTuple):
    """A model on its way: what `training` yields after each step."""

    step: int
    """Steps done."""
    model: Any
    optimizer_state: Any
    chains: Any
    """Markov chains of the negative phase, where they persist."""
    gap: Any
    """Root mean square of the moment differences that this step followed."""


class FitResult(NamedTuple):
    """What `fit` returns."""

    model: Any
    """The model, of the same type as the one given."""
    history: dict
    """For each step: "gap", root mean square of the moment differences."""
    interrupted: bool
    """Whether Ctrl-C ended it before the last step; the model is the one reached by then."""


class Plan(NamedTuple):
    """What every step needs: arrays and numbers, none of which makes it compile again."""

    data: Any
    """(n, N) int8, FREE where hidden; None with `moments`."""
    moments: Any
    sampler: AbstractSampler
    positive: AbstractSampler
    num_sweeps: int
    l1: float


class Sizes(NamedTuple):
    """What every step is compiled for."""

    batch_size: int
    num_chains: int
    hidden: bool
    persistent: bool


def fit(key, model, data=None, sampler=None, *, steps: int, **options) -> FitResult:
    """Learn the parameters of a model by gradient ascent on the (approximate) log-likelihood of Eq. 3.

    The gradient of score(x) averaged over data minus the same over samples of the model; hidden variables of a
    data point are sampled given it. Every float array of `model` is a parameter. Ctrl-C returns the model so far.

    Args:
        key: a JAX key.
        model: a FactorGraph, or anything with .graph().
        data: dict block name -> states (N, *shape); blocks not named, and entries that are FREE, are hidden.
        sampler: by default PMP().
        steps: gradient steps.
        options: of `training`: optimizer, batch_size, num_chains, num_sweeps, persistent, positive, moments, l1.
    """
    steps = validate.count("steps", steps)
    gaps, interrupted = [], False
    states = training(key, model, data, sampler, **options)
    with bar(steps, "fit") as shown:
        try:
            for state in states:
                model = state.model
                gaps.append(state.gap)
                shown.update(1)
                if state.step == steps:
                    break
        except KeyboardInterrupt:
            interrupted = True
            print(f"fit: interrupted after {len(gaps)} of {steps} steps; returning the model so far.")
    return FitResult(model, {"gap": np.asarray(jax.device_get(gaps))}, interrupted)


def training(
    key, model, data=None, sampler=None, *, optimizer=None, batch_size: int = 100, num_chains: int | None = None,
    num_sweeps: int = 50, persistent: bool = False, positive=None, moments=None, l1: float = 0.0,
) -> Iterator[TrainingState]:  # fmt: skip
    """Learn step by step: an endless generator of `TrainingState`, for training loops of your own.

    Args: as `fit`, and
        optimizer: an optax optimiser; by default optax.adam(1e-2).
        batch_size: data points of each step, drawn uniformly.
        num_chains: samples of the model in each step; by default batch_size.
        num_sweeps: sweeps for each sample.
        persistent: continue the chains from step to step (Markov chain samplers) instead of starting afresh.
        positive: sampler of hidden variables given the data; by default `sampler`.
        moments: instead of data, the expected gradient of the score, as `exact.moments` returns it (Section 5.1).
        l1: weight of the sum of absolute factor parameters (unaries excepted), taken from the objective.
    """
    key, graph = validate.key(key), as_graph(model)
    sampler = validate.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    positive = validate.instance("positive", sampler if positive is None else positive, AbstractSampler, "PMP()")
    sampler.check(graph)
    positive.check(graph)
    flat = _checked_data(graph, model, data, moments)
    batch_size = validate.count("batch_size", batch_size)
    plan = Plan(
        data=None if flat is None else jnp.asarray(flat.T),
        moments=moments,
        sampler=sampler,
        positive=positive,
        num_sweeps=validate.count("num_sweeps", num_sweeps),
        l1=validate.number("l1", l1, 0.0),
    )
    sizes = Sizes(
        batch_size=batch_size,
        num_chains=batch_size if num_chains is None else validate.count("num_chains", num_chains),
        hidden=flat is not None and bool((flat == FREE).any()),
        persistent=bool(persistent),
    )
    optimizer = _checked_optimizer(optimizer)
    start = TrainingState(0, model, optimizer.init(eqx.filter(model, eqx.is_inexact_array)), None, None)
    return _steps(key, start, plan, sizes, optimizer)


def _checked_optimizer(optimizer):
    import optax

    optimizer = optax.adam(1e-2) if optimizer is None else optimizer
    if not hasattr(optimizer, "update"):
        got = validate.describe(optimizer)
        raise TypeError(f"optimizer: expected an optax optimiser such as optax.adam(1e-2), got {got}")
    return optimizer


def _checked_data(graph, model, data, moments) -> np.ndarray | None:
    """Data as (N, n), in one byte a state where that is enough; None if there are moments instead."""
    if (data is None) == (moments is None):
        raise ValueError("data: expected either data or moments, got " + ("neither" if data is None else "both"))
    if moments is not None:
        form = jax.tree.structure(eqx.filter(model, eqx.is_inexact_array))
        if jax.tree.structure(moments) != form:
            got = validate.describe(moments)
            raise ValueError(
                f"moments: expected the form of the model's parameters, as exact.moments returns it, got {got}"
            )
        return None
    flat = graph.variables.flatten(data, argument="data")
    if flat.ndim != 2 or flat.shape[0] == 0:
        raise ValueError(f"data: expected arrays (N, *block shape) with N >= 1, got leading axes {flat.shape[:-1]}")
    return flat.astype(np.int8 if graph.variables.num_states <= 127 else np.int32)


def _steps(key, state: TrainingState, plan: Plan, sizes: Sizes, optimizer) -> Iterator[TrainingState]:
    while True:
        key_now = jax.random.fold_in(key, state.step)
        gradient, chains, gap = _gradient(key_now, state.model, state.chains, plan, sizes=sizes)
        model, optimizer_state = _update(gradient, state.model, state.optimizer_state, optimizer=optimizer)
        state = TrainingState(state.step + 1, model, optimizer_state, chains, gap)
        yield state


@partial(jax.jit, static_argnames=("sizes",))
def _gradient(key, model, chains, plan: Plan, *, sizes: Sizes):
    """Gradient to descend in one step of Algorithm 1, from samples of data and of the model."""
    graph = model.graph()
    pick, above, below = jax.random.split(key, 3)
    free = jnp.full((graph.variables.count, sizes.num_chains), FREE)
    negative, chains, _ = run.draw(below, graph, plan.sampler, free, chains, plan.num_sweeps)
    positive = None
    if plan.data is not None:
        number = jax.random.randint(pick, (sizes.batch_size,), 0, plan.data.shape[1])
        positive = plan.data[:, number].astype(jnp.int32)
        if sizes.hidden:
            positive, _, _ = run.draw(above, graph, plan.positive, positive, None, plan.num_sweeps)
    gradient = _moment_difference(model, positive, negative, plan.moments)
    gap = jnp.sqrt(_mean_square(gradient))
    penalty = eqx.filter_grad(lambda m: plan.l1 * _absolute_sum(m.graph().factors))(model)
    return jax.tree.map(jnp.add, gradient, penalty), chains if sizes.persistent else None, gap


@partial(jax.jit, static_argnames=("optimizer",))
def _update(gradient, model, optimizer_state, *, optimizer):
    """One step of the optimiser; compiled apart, since a new optax object means a new compilation."""
    with jax.numpy_dtype_promotion("standard"):  # optax mixes number types
        updates, optimizer_state = optimizer.update(gradient, optimizer_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), optimizer_state


def _moment_difference(model, positive, negative, moments):
    """Gradient to descend: E[d score] over samples of the model, minus the same over data (or the moments given)."""

    def objective(model):
        value = _mean_score(model, negative)
        return value if positive is None else value - _mean_score(model, positive)

    gradient = eqx.filter_grad(objective)(model)
    return gradient if moments is None else jax.tree.map(jnp.subtract, gradient, moments)


def _mean_score(model, states):
    graph = model.graph()
    return graph.score(planes.from_states(states, graph.variables.num_planes, graph.unaries.dtype)).mean()


def _absolute_sum(factors):
    return sum(jnp.abs(leaf).sum() for leaf in jax.tree.leaves(eqx.filter(factors, eqx.is_inexact_array)))


def _mean_square(tree):
    leaves = jax.tree.leaves(tree)
    return sum(jnp.sum(leaf**2) for leaf in leaves) / sum(leaf.size for leaf in leaves)
