"""The function `fit`: maximum likelihood by moment matching, for any model and any sampler (Algorithm 1, Eq. 3)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import batches, run
from ..engine import calls, checks, chunks, parameters, threads
from ..engine.arrays import is_traced, outside_jit
from ..engine.devices import Devices, chosen, everywhere, placed
from ..engine.signatures import ArrayLike, NamedArrays, Number, Optimizer, Path
from ..graph import AnyModel, as_graph
from ..sample import check_supported
from ..samplers import PMP, AbstractSampler
from ..variables import FREE
from . import ascent
from .ascent import FitResult, TrainingState
from .data import as_planes, check_apart, checked_weights, drawn_rows, flat_data, refuse_impossible
from .moments import check_moments, expected_score, mean_score, refuse_nonlinear, score_gradient


class Draws(eqx.Module):
    """How samples are drawn in each step: of the model, or of the hidden variables of data points."""

    sampler: AbstractSampler
    num_sweeps: int
    number: int = eqx.field(static=True)
    chunk: int = eqx.field(static=True)
    apart: bool = eqx.field(static=True)
    """Whether they are drawn outside of the compiled step, in chunks on all cores."""
    devices: tuple[Any, ...] = eqx.field(static=True)

    def __call__(self, key, graph, evidence=None, previous=None):
        """Return states (number, n) and chains; evidence is (number, n)."""
        evidence = graph.variables.evidence_rows(None, self.number) if evidence is None else evidence
        sizes = self.num_sweeps, self.number, self.chunk, self.devices
        task = run.Task(key, graph, self.sampler, evidence, previous, *sizes)
        return (run.draw_at_once if is_traced(key) else batches.draw)(task)[:2]


class LogLikelihood(eqx.Module):
    """The gradient of the mean log-likelihood of some data points of each step."""

    data: Any
    """(N, n) int8 or int32, FREE for hidden entries; None with `moments`."""
    cumulative: Any
    """The sums of the weights of data points up to each of them, (N,); None if all count alike."""
    moments: Any
    of_model: Draws
    of_hidden: Draws | None
    """None if no variable is hidden, and for their exact expectation."""
    hidden: Any
    """Ids of the variables whose exact expectation is taken; None if there are none."""
    batch_size: int = eqx.field(static=True)
    persistent: bool = eqx.field(static=True)

    def __call__(self, key, model, chains):
        """Return the gradient and the chains. What takes long is drawn outside of compiled code, on all cores."""
        keys, drawn, known = jax.random.split(key, 3), None, None
        if not is_traced(key):
            if self.of_model.apart:
                drawn = self.of_model(keys[2], _graph(model), previous=chains)
            if self.of_hidden is not None and self.of_hidden.apart:
                known = np.asarray(_rows(keys[0], self.data, self.batch_size, self.cumulative))
                known = completed(known, self.of_hidden(keys[1], _graph(model), known)[0])
        return _gradient(self, keys, model, chains, drawn, known)


@jax.jit
def _gradient(objective: LogLikelihood, keys, model, chains, drawn, known):
    """Return the gradient and the chains of one step. Changing numbers triggers no recompilation.

    Args:
        drawn: samples of the model and chains; None to draw them here.
        known: the data points with all hidden variables; None to choose and complete them here.
    """
    graph, positive = model.graph(), None
    negative, chains = objective.of_model(keys[2], graph, previous=chains) if drawn is None else drawn
    if objective.data is not None:
        if known is None:
            known = drawn_rows(keys[0], objective.data, objective.batch_size, objective.cumulative)
            if objective.of_hidden is not None:
                known = completed(known, objective.of_hidden(keys[1], graph, known)[0])
        if objective.hidden is None:
            positive = partial(mean_score, states=as_planes(graph, known))
        else:
            positive = partial(expected_score, known=known, hidden=objective.hidden)
    gradient = score_gradient(model, positive, as_planes(graph, negative))
    if objective.moments is not None:
        gradient = jax.tree.map(jnp.add, gradient, objective.moments)
    return gradient, chains if objective.persistent else None


def completed(known, states):
    """Return data points with drawn states in place of FREE; a user-defined sampler may change the evidence."""
    return jnp.where(known == FREE, states, known)


_graph = jax.jit(lambda model: model.graph())
_rows = jax.jit(drawn_rows, static_argnames="number")


def fit(
    key: jax.Array, model: AnyModel, data: NamedArrays | None = None, sampler: AbstractSampler | None = None, *,
    steps: int, callback: Callable[[TrainingState[AnyModel]], Any] | None = None, optimizer: Optimizer | None = None,
    batch_size: int = 100, num_chains: int | None = None, num_sweeps: int = 50, persistent: bool = False,
    positive: AbstractSampler | Literal["exact"] | None = None, moments: AnyModel | None = None,
    weights: ArrayLike | None = None, l1: Number = 0.0, l2: Number = 0.0,
    resume: TrainingState[AnyModel] | Path | None = None, devices: Devices | None = None,
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
        batch_size: data points of each step, drawn with replacement: uniformly, or in proportion to `weights`.
        num_chains: samples of the model in each step; by default batch_size.
        num_sweeps: sweeps for each sample, at least 1; 1 is enough for samplers without sweeps.
        persistent: go on with the chains of the model (persistent contrastive divergence); for Markov chains and
            PersistentPMP. Hidden variables and missing entries start anew in each step, so give them enough sweeps.
        positive: sampler of hidden variables given the data, by default `sampler`; or "exact" for their exact
            expectation, if no factor joins two hidden variables of a data point, as in an RBM.
        moments: instead of data, the expected gradient of the score: `data_moments`, `exact.moments` (Section 5.1).
        weights: how often each data point counts, (N,), at least 0; by default all alike. Their scale does not matter.
            With `moments`, give the weights to `data_moments`.
        l1, l2: penalty weights of the sum of |w| and of half the sum of w^2, over the parameters w of factors.
        resume: a `TrainingState`, or the path of a saved one, to continue from; its model replaces `model`.
        devices: the JAX devices to use, such as jax.devices()[:2]; by default all, or that of jax.default_device.

    Returns: a `FitResult`. Cost of a step: `num_chains` samples, the hidden variables, and their gradients.

    Raises: TypeError or ValueError that names the argument; OSError if the file of `resume` cannot be read.
    """
    states = training(
        key, model, data, sampler, optimizer=optimizer, batch_size=batch_size, num_chains=num_chains,
        num_sweeps=num_sweeps, persistent=persistent, positive=positive, moments=moments, weights=weights, l1=l1,
        l2=l2, resume=resume, devices=devices,
    )  # fmt: skip
    result = ascent.follow(states, model, steps, callback, "fit")
    return result if devices is None else jax.tree.map(_unbound, result)


def training(
    key: jax.Array, model: AnyModel, data: NamedArrays | None = None, sampler: AbstractSampler | None = None, *,
    optimizer: Optimizer | None = None, batch_size: int = 100, num_chains: int | None = None, num_sweeps: int = 50,
    persistent: bool = False, positive: AbstractSampler | Literal["exact"] | None = None,
    moments: AnyModel | None = None, weights: ArrayLike | None = None, l1: Number = 0.0, l2: Number = 0.0,
    resume: TrainingState[AnyModel] | Path | None = None, devices: Devices | None = None,
) -> Iterator[TrainingState[AnyModel]]:  # fmt: skip
    """Learn as `fit` does, step by step. The arguments and errors are those of `fit`.

    Returns: an endless generator, which yields the `TrainingState` after each step. A run that was stopped and resumed
    with the same other arguments equals an uninterrupted run bit for bit. With `devices`, the arrays of the states are
    on these devices.
    """
    outside_jit("fit", key, model, data, moments)
    key, graph, model = checks.key(key), as_graph(model), parameters.required(model)
    sampler = checks.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    check_supported(sampler, graph, traced=False)
    flat = _checked_data(graph, model, data, moments)
    hidden = np.flatnonzero((flat == FREE).any(0)) if flat is not None else np.zeros(0, int)
    positive = _checked_positive(graph, flat, hidden, sampler if positive is None else positive)
    batch_size, num_sweeps = checks.count("batch_size", batch_size), checks.count("num_sweeps", num_sweeps)
    number = batch_size if num_chains is None else checks.count("num_chains", num_chains)
    if checks.flag("persistent", persistent) and not sampler.is_markov_chain:
        raise ValueError(
            f"persistent: expected a sampler that continues its chains, got {type(sampler).__name__}, whose samples "
            "are independent; use sampler=PersistentPMP(), or persistent=False"
        )
    used = chosen(devices)
    objective = LogLikelihood(
        data=None if flat is None else jnp.asarray(flat),
        cumulative=_cumulative(flat, weights),
        moments=moments,
        of_model=_draws(graph, sampler, num_sweeps, number, used),
        of_hidden=_draws(graph, positive, num_sweeps, batch_size, used) if hidden.size and positive else None,
        hidden=jnp.asarray(hidden, jnp.int32) if hidden.size and positive is None else None,
        batch_size=batch_size,
        persistent=bool(persistent),
    )
    if not everywhere(used):
        key = placed(key, used)  # results are then on these devices as well
    return ascent.ascend(key, model, objective, optimizer=optimizer, l1=l1, l2=l2, resume=resume)


def _cumulative(flat: np.ndarray | None, weights: ArrayLike | None) -> jax.Array | None:
    """Return the sums of the weights up to each data point, (N,); None if all data points count alike."""
    if flat is None and weights is not None:
        raise ValueError("weights: expected data, got moments; write data_moments(model, data, weights)")
    values = None if flat is None else checked_weights(weights, len(flat))
    return None if values is None else jnp.asarray(np.cumsum(values), jnp.float32)


def _draws(graph, sampler, num_sweeps: int, number: int, used) -> Draws:
    """Return how samples are drawn: in the compiled step if that takes little time and has fewer chunks than cores."""
    chunk = chunks.choose(graph, sampler, number, used)
    long = calls.least_seconds(graph, sampler, number, num_sweeps) > calls.LONG and jax.process_count() == 1
    apart = long or 1 < threads.workers(used) <= number // chunk
    return Draws(sampler, num_sweeps, number, chunk, apart, used)


def _unbound(leaf):
    """Return a JAX array that is not committed to a device; other leaves are returned unchanged."""
    return jnp.asarray(np.asarray(leaf)) if isinstance(leaf, jax.Array) else leaf


def _checked_positive(graph, flat, hidden, positive) -> AbstractSampler | None:
    """Return the sampler of hidden variables, or None for their exact expectation after checking that it exists."""
    if not isinstance(positive, str):
        check_supported(checks.instance("positive", positive, AbstractSampler, "PMP(), or 'exact'"), graph, False)
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
