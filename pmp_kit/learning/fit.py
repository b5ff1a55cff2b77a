"""The function `fit`: maximum likelihood by moment matching, for any model and any sampler (Algorithm 1, Eq. 3)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, NamedTuple, Never

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import batches, run
from ..engine import calls, chunks, cores, parameters, validate
from ..engine.devices import Devices, chosen, everywhere, placed
from ..engine.signatures import NamedArrays, Number, Optimizer, Path
from ..graph import AnyModel, as_graph
from ..sample import check_supported
from ..samplers import PMP, AbstractSampler
from ..variables import FREE
from . import ascent
from .ascent import FitResult, TrainingState
from .data import as_planes, check_apart, flat_data, refuse_impossible
from .moments import check_moments, difference, expected_score, mean_score, refuse_nonlinear


class Plan(NamedTuple):
    """The arrays and numbers that every step uses. Changing them triggers no recompilation."""

    data: Any
    """(N, n) int8 or int32, FREE for hidden entries; None with `moments`."""
    moments: Any
    sampler: AbstractSampler
    positive: AbstractSampler | None
    """The sampler of hidden variables; None for their exact expectation."""
    hidden: Any
    """Ids of the variables that are hidden in some data point."""
    num_sweeps: int
    l1: Number
    l2: Number


class Sizes(NamedTuple):
    """The static settings. A step is compiled again for other values."""

    batch_size: int
    num_chains: int
    persistent: bool
    chunk: int | None
    """Samples in a chunk, if `batches.draw` draws them; None if the compiled step draws all samples."""
    hidden_chunk: int | None
    """The same for the hidden variables of data points."""
    devices: tuple[Any, ...]


def fit(
    key: jax.Array, model: AnyModel, data: NamedArrays | None = None, sampler: AbstractSampler | None = None, *,
    steps: int, callback: Callable[[TrainingState[AnyModel]], Any] | None = None, optimizer: Optimizer | None = None,
    batch_size: int = 100, num_chains: int | None = None, num_sweeps: int = 50, persistent: bool = False,
    positive: AbstractSampler | Literal["exact"] | None = None, moments: AnyModel | None = None, l1: Number = 0.0,
    l2: Number = 0.0, resume: TrainingState[AnyModel] | Path | None = None, devices: Devices | None = None,
    **unknown: Never,
) -> FitResult[AnyModel]:  # fmt: skip
    """Learn the parameters of a model by gradient ascent on the (approximate) log-likelihood (Eq. 3).

    The gradient is E_data[d score] - E_model[d score], estimated from data and from samples. The hidden variables of a
    data point are sampled given its states. Every float of `model` is a parameter. Ctrl-C returns the model so far.

    Args:
        key: a JAX key.
        model: a FactorGraph, or anything with .graph().
        data: dict block name -> states (N, *shape); blocks that are not named and entries FREE are hidden. Data that
            violate a constraint are refused, except for constraints in a group of factors with a hidden variable.
        sampler: by default PMP(). For missing entries use Gibbs(), if single changes can reach all possible states.
        steps: total number of gradient steps, including those of `resume`.
        callback: called with the `TrainingState` after each step; a true result ends the fit.
        optimizer: an optax optimiser, which contains the learning rate; by default optax.adam(1e-2).
        batch_size: data points of each step, drawn uniformly with replacement.
        num_chains: samples of the model in each step; by default batch_size.
        num_sweeps: sweeps for each sample, at least 1; 1 is enough for samplers without sweeps.
        persistent: go on with the chains of the model (persistent contrastive divergence); for Markov chains and
            PersistentPMP. Hidden variables and missing entries start anew in each step, so give them enough sweeps.
        positive: sampler of hidden variables given the data, by default `sampler`; or "exact" for their exact
            expectation, if no factor joins two hidden variables of a data point, as in an RBM.
        moments: instead of data, the expected gradient of the score: `data_moments`, `exact.moments` (Section 5.1).
        l1, l2: penalty weights of the sum of |w| and of half the sum of w^2, over the parameters w of factors.
        resume: a `TrainingState`, or the path of a saved one, to continue from; its model replaces `model`.
        devices: the JAX devices to use, such as jax.devices()[:2]; by default all, or that of jax.default_device.

    Returns: a `FitResult`. Cost of a step: `num_chains` samples, the hidden variables, and their gradients.

    Raises: TypeError or ValueError that names the argument; OSError if the file of `resume` cannot be read.
    """
    states = training(
        key, model, data, sampler, optimizer=optimizer, batch_size=batch_size, num_chains=num_chains,
        num_sweeps=num_sweeps, persistent=persistent, positive=positive, moments=moments, l1=l1, l2=l2, resume=resume,
        devices=devices, **unknown,
    )  # fmt: skip
    result = ascent.follow(states, model, steps, callback, "fit")
    return result if devices is None else jax.tree.map(_unbound, result)


def training(
    key: jax.Array, model: AnyModel, data: NamedArrays | None = None, sampler: AbstractSampler | None = None, *,
    optimizer: Optimizer | None = None, batch_size: int = 100, num_chains: int | None = None, num_sweeps: int = 50,
    persistent: bool = False, positive: AbstractSampler | Literal["exact"] | None = None,
    moments: AnyModel | None = None, l1: Number = 0.0, l2: Number = 0.0,
    resume: TrainingState[AnyModel] | Path | None = None, devices: Devices | None = None, **unknown: Never,
) -> Iterator[TrainingState[AnyModel]]:  # fmt: skip
    """Learn as `fit` does, step by step. The arguments and errors are those of `fit`.

    Returns: an endless generator, which yields the `TrainingState` after each step. A run that was stopped and resumed
    with the same other arguments equals an uninterrupted run bit for bit. With `devices`, the arrays of the states are
    on these devices.
    """
    ascent.refuse("fit", unknown, key, model, data, moments)
    key, graph, model = validate.key(key), as_graph(model), parameters.required(model)
    sampler = validate.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    check_supported(sampler, graph, traced=False)
    flat = _checked_data(graph, model, data, moments)
    hidden = np.flatnonzero((flat == FREE).any(0)) if flat is not None else np.zeros(0, int)
    batch_size = validate.count("batch_size", batch_size)
    plan = Plan(
        data=None if flat is None else jnp.asarray(flat),
        moments=moments,
        sampler=sampler,
        positive=_checked_positive(graph, flat, hidden, sampler if positive is None else positive),
        hidden=jnp.asarray(hidden, jnp.int32),
        num_sweeps=validate.count("num_sweeps", num_sweeps),
        l1=validate.number("l1", l1, 0.0),
        l2=validate.number("l2", l2, 0.0),
    )
    number = batch_size if num_chains is None else validate.count("num_chains", num_chains)
    used, hides = chosen(devices), hidden.size > 0 and plan.positive is not None
    chunk = _chunk(graph, sampler, number, plan.num_sweeps, used)
    hidden_chunk = _chunk(graph, plan.positive, batch_size, plan.num_sweeps, used) if hides else None
    persistent = _checked_persistent(persistent, sampler)
    sizes = Sizes(batch_size, number, persistent, chunk, hidden_chunk, used)
    optimizer = ascent.checked_optimizer(optimizer)
    return _steps(key, _start(key, model, plan, sizes, optimizer, resume), plan, sizes, optimizer)


def _chunk(graph, sampler, number: int, num_sweeps: int, used) -> int | None:
    """Return the samples in a chunk; None if they are drawn soon, with fewer chunks than CPU cores."""
    chunk = chunks.choose(graph, sampler, number, used)
    size = chunks.bytes_of_one(graph, sampler) // 4
    long = calls.least_seconds(graph, sampler, size, number, num_sweeps) > calls.LONG and jax.process_count() == 1
    return chunk if long or 1 < cores.workers(used) <= number // chunk else None


def _unbound(leaf):
    """Return a JAX array that is not committed to a device; other leaves are returned unchanged."""
    return jnp.asarray(np.asarray(leaf)) if isinstance(leaf, jax.Array) else leaf


def _checked_persistent(persistent, sampler) -> bool:
    """Return `persistent`. Raise ValueError if it is True and the sampler has no chains."""
    if validate.flag("persistent", persistent) and not sampler.is_markov_chain:
        raise ValueError(
            f"persistent: expected a sampler that continues its chains, got {type(sampler).__name__}, whose samples "
            "are independent; use sampler=PersistentPMP(), or persistent=False"
        )
    return bool(persistent)


def _checked_positive(graph, flat, hidden, positive) -> AbstractSampler | None:
    """Return the sampler of hidden variables, or None for their exact expectation after checking that it exists."""
    if not isinstance(positive, str):
        check_supported(validate.instance("positive", positive, AbstractSampler, "PMP(), or 'exact'"), graph, False)
        return positive
    if positive != "exact":
        raise ValueError(f"positive: expected a sampler or 'exact', got {positive!r}")
    if hidden.size:
        check_apart(graph, flat, hidden)
    return None


def _checked_data(graph, model, data, moments) -> np.ndarray | None:
    """Return the data as (N, n), with one byte per state if possible; None if moments are given."""
    if (data is None) == (moments is None):
        raise ValueError("data: expected either data or moments, got " + ("neither" if data is None else "both"))
    if moments is not None:
        check_moments(moments, model)
        refuse_nonlinear(model)
        return None
    flat = flat_data(graph, data)
    refuse_impossible("data", flat, graph)
    return flat


def _start(key, model, plan: Plan, sizes: Sizes, optimizer, resume) -> TrainingState:
    """Return the initial state, or the state to continue from after checking that it fits this run."""
    fresh = TrainingState(0, model, optimizer.init(eqx.filter(model, eqx.is_inexact_array)), None, None)
    if resume is None:
        return fresh
    step = partial(_next, sizes=sizes._replace(chunk=None, hidden_chunk=None), optimizer=optimizer)
    after = jax.eval_shape(step, key, fresh, plan)
    return ascent.resumed(resume, after._replace(step=0, model=model))


def _steps(key, state: TrainingState, plan: Plan, sizes: Sizes, optimizer) -> Iterator[TrainingState]:
    if not everywhere(sizes.devices):
        key = placed(key, sizes.devices)  # results are then on these devices as well
    while True:
        state = _next(key, state, plan, sizes, optimizer)
        yield state


def _next(key, state: TrainingState, plan: Plan, sizes: Sizes, optimizer) -> TrainingState:
    keys = jax.random.split(jax.random.fold_in(key, state.step), 3)
    drawn = known = None
    if sizes.chunk is not None or sizes.hidden_chunk is not None:
        graph, (pick, above, below) = _graph(state.model), keys
    if sizes.chunk is not None:
        free = graph.variables.evidence_rows(None, sizes.num_chains)
        drawn = _drawn(below, graph, plan.sampler, free, state.chains, plan, sizes.num_chains, sizes.chunk, sizes)
    if sizes.hidden_chunk is not None:
        known = np.asarray(_known(pick, plan.data, batch_size=sizes.batch_size))
        how = plan, sizes.batch_size, sizes.hidden_chunk, sizes
        known = np.where(known == FREE, _drawn(above, graph, plan.positive, known, None, *how)[0], known)
    gradient, chains, gap = _gradient(keys, state.model, state.chains, drawn, known, plan, sizes=sizes)
    model, optimizer_state = ascent.update(gradient, state.model, state.optimizer_state, optimizer=optimizer)
    return TrainingState(state.step + 1, model, optimizer_state, chains, gap)


_graph = jax.jit(lambda model: model.graph())


def _drawn(key, graph, sampler, evidence, previous, plan: Plan, number: int, chunk: int, sizes: Sizes):
    """Return the samples and chains that `run.draw` would draw in one compiled call."""
    parts = batches.draw(key, graph, sampler, evidence, previous, plan.num_sweeps, number, chunk, sizes.devices)
    return chunks.join(list(parts), number)[:2]


@partial(jax.jit, static_argnames="batch_size")
def _known(key, data, *, batch_size: int):
    """Return the data points of a step, (batch_size, n)."""
    return data[jax.random.randint(key, (batch_size,), 0, len(data))].astype(jnp.int32)


@partial(jax.jit, static_argnames=("sizes",))
def _gradient(keys, model, chains, drawn, known, plan: Plan, *, sizes: Sizes):
    """Return the gradient to descend, the chains and the gap of one step.

    Args:
        drawn: samples of the model and chains; None to draw them here.
        known: the data points with all hidden variables; None to choose and complete them here.
    """
    graph, (pick, above, below) = model.graph(), keys
    if drawn is None:
        how = graph.variables.evidence_rows(None, sizes.num_chains), chains, plan.num_sweeps, sizes.num_chains
        drawn = run.draw(below, graph, plan.sampler, *how, on=sizes.devices)[:2]
    negative, chains = drawn
    positive = None
    if known is not None:
        positive = partial(mean_score, states=as_planes(graph, known))
    elif plan.data is not None:
        known = _known(pick, plan.data, batch_size=sizes.batch_size)
        positive = _positive(above, graph, known, plan, sizes.devices)
    gradient = difference(model, positive, as_planes(graph, negative), plan.moments)
    gap = ascent.root_mean_square(gradient)
    return ascent.add_penalty(gradient, model, plan.l1, plan.l2), chains if sizes.persistent else None, gap


def _positive(key, graph, known, plan: Plan, used):
    """Return the mean score of data points as a function of the model; hidden variables are sampled or summed."""
    if plan.hidden.size and plan.positive is None:
        return partial(expected_score, known=known, hidden=plan.hidden)
    if plan.positive is not None and plan.hidden.size:
        how = known, None, plan.num_sweeps, len(known)
        drawn, _, _ = run.draw(key, graph, plan.positive, *how, on=used)
        known = jnp.where(known == FREE, drawn, known)  # a sampler of one's own may not keep to the evidence
    return partial(mean_score, states=as_planes(graph, known))
