"""The compiled functions of the main functions and of `Kernel`, around the loops over sweeps."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from .engine import chunks, cores, devices, planes
from .engine.arrays import on_device
from .engine.forms import finished, same_form
from .graph import FactorGraph
from .samplers import AbstractSampler
from .samplers.base import checked_draw, checked_keep, checked_sweep, keys_of, viewed
from .solvers import AbstractSolver
from .solvers.base import checked_run


@jax.jit
def solve(graph: FactorGraph, solver: AbstractSolver, evidence, num_sweeps):
    """Solve all batch elements; evidence is (n, batch).

    The derivative of the score is that of the states found (envelope theorem). The search has no derivative.

    Returns: states, score, bound, marginals, converged, sweeps, log Z, and whether the states are possible.
    """
    model, (graph, solver) = graph, jax.lax.stop_gradient((graph, solver))
    unaries = clamped_unaries(graph, evidence)

    answer, _, used = checked_run(solver, graph, unaries, solver.init(graph, unaries), num_sweeps)
    states = planes.to_states(answer.states)
    found = planes.from_states(states, len(unaries), unaries.dtype)  # also if a solver returned no proper states
    score = model.score(found)
    fixed = jax.lax.stop_gradient(score)
    possible = fixed > -jnp.inf
    shift = graph.unary_score(found) - planes.dot(unaries, found)  # constants that planes leave out
    forbidden = shift == -jnp.inf  # the evidence contradicts the unaries, so no configuration is possible
    shift = jnp.where(forbidden, 0.0, shift)
    bound = None if answer.bound is None else jnp.maximum(answer.bound + shift, fixed)  # they differ by rounding
    bound = None if bound is None else jnp.where(forbidden, -jnp.inf, bound)
    logz = answer.log_partition
    if logz is not None:  # infinite messages that contradict each other make it NaN
        logz = jnp.where(forbidden | jnp.isnan(logz), -jnp.inf, logz + shift)
    converged = answer.converged & possible
    return states, score, bound, answer.marginals, converged, used, logz, possible


@jax.jit
def score(graph: FactorGraph, states):
    """Return the score of states (n, *batch), in nats."""
    return graph.score(planes.from_states(states, graph.variables.num_planes, graph.unaries.dtype))


def compute_round(
    key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, num_sweeps, *, on, observe=None
):  # fmt: skip
    """Return the samples `ids` (R, chunk), computed one chunk at a time on each device of `on`.

    The evidence is (R, chunk, n), or (n,) if it is the same for all samples. The results of `observe`, a function
    (sampler, graph, unaries, state) -> arrays (..., batch), take the place of the states.
    """

    def run_chunk(shared, arguments):
        (graph, sampler, num_sweeps, of_all), (keys, first, own, previous) = shared, arguments
        unaries = clamped_unaries(graph, of_all[:, None] if own is None else own.T, len(keys))
        beginning = sampler.init(first, graph, unaries, chunks.samples_last(previous, unaries.dtype))
        states, state, used = checked_draw(sampler, keys, graph, unaries, beginning, num_sweeps)
        seen = planes.to_states(states) if observe is None else observe(sampler, graph, unaries, state)
        kept = checked_keep(sampler, state, len(keys))
        return chunks.samples_first(seen), chunks.samples_first(kept), used

    def run_chunks(shared, arguments):
        (key, *others), (ids, *batched) = shared, arguments
        keys = keys_of(key, ids.reshape(-1))  # all at once, because the smallest hash takes 20 microseconds
        first = keys_of(keys, 0)
        return jax.lax.map(partial(run_chunk, others), (keys.reshape(ids.shape), first.reshape(ids.shape), *batched))

    of_all, own = (evidence, None) if evidence.ndim == 1 else (None, evidence)
    return devices.spread(run_chunks, (key, graph, sampler, num_sweeps, of_all), (ids, own, previous), on)


sample_round = jax.jit(compute_round, static_argnames=("on", "observe"))
wide_sample_round = jax.jit(
    compute_round, static_argnames=("on", "observe"), compiler_options={"xla_cpu_prefer_vector_width": 512}
)
"""The same with wider vector instructions, if the CPU has AVX-512. Where beliefs are read by index for LANES samples,
sweeps take a tenth to a fifth less time. With fewer samples, and in dense models, they can take longer. JAX refuses
compiler options inside other compiled functions."""


def rounds(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, number, chunk, on, observe=None
):  # fmt: skip
    """Yield states, chains and sweeps of the samples of each compiled call in order; calls run in parallel threads.

    Args: those of `draw`, and `observe` of `compute_round`.
    """
    previous = type(sampler).prepare(sampler, key, graph, number, previous)  # as in `verbs.check_supported`

    def work(ids):
        batched = chunks.take_evidence(evidence, ids), chunks.take(previous, ids)
        arguments = devices.placed((key, graph, sampler, ids, *batched, num_sweeps), on)
        return devices.gathered(compiled(*arguments, on=on, observe=observe), on)

    wide = graph.gathers and chunk >= chunks.LANES and on[0].platform == "cpu"
    compiled = wide_sample_round if wide else sample_round
    workers = 1 if sampler.on_host else cores.workers(on)
    tasks = chunks.rounds(number, chunk, graph.variables.count, on)
    for states, chains, sweeps in cores.side_by_side(work, tasks, workers):
        yield jax.tree.map(np.asarray, states), chains, np.asarray(sweeps)


def draw(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, number, chunk=None, *, on
):  # fmt: skip
    """Draw samples inside compiled functions, in one call and without argument checks.

    Args: those of `pmp_kit.sample`, with evidence (number, n), or (1, n) if it is the same for all samples, the number
        of samples, and devices `on`.

    Returns: state numbers (number, n), chains, and the number of sweeps of each sample, (number,).
    """
    chunk = chunks.choose(graph, sampler, number, on) if chunk is None else min(chunk, number)
    previous = sampler.prepare(key, graph, number, previous)
    ids = chunks.padded(number, chunk * len(on)).reshape(-1, chunk)
    batched = chunks.take_evidence(evidence, ids), chunks.take(previous, ids)
    part = sample_round(key, graph, sampler, on_device(ids), *batched, num_sweeps, on=on)
    return chunks.join([part], number)


@partial(jax.jit, static_argnames=("number", "observe", "buffer"))
def trace(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, every, *, number, observe, buffer
):  # fmt: skip
    """Return the results of `observe` before the first sweep and after each `every` sweeps, and the chains.

    The evidence is that of `draw`. The results have shape (buffer + 1, ..., number).
    """
    keys, unaries = keys_of(key, jnp.arange(number)), clamped_unaries(graph, evidence.T, number)
    beginning = start(key, graph, sampler, unaries, previous)

    def row(state, index):
        first = index * every
        last = jnp.minimum(first + every, num_sweeps)
        state = jax.lax.fori_loop(first, last, partial(sweep_unfinished, keys, graph, sampler, unaries), state)
        return state, observe(viewed(sampler, graph, unaries, state))

    first = observe(viewed(sampler, graph, unaries, beginning))
    for leaf in jax.tree.leaves(first):
        if jnp.shape(leaf)[-1:] != (number,):
            raise ValueError(
                f"observe: expected arrays with the samples ({number}) on the last axis, got shape {jnp.shape(leaf)}; "
                "keep that axis"
            )
    end, rest = jax.lax.scan(row, beginning, jnp.arange(buffer))
    values = jax.tree.map(lambda one, many: jnp.concatenate([one[None], many]), first, rest)
    return values, chunks.samples_first(checked_keep(sampler, end, number))


def any_trace(graph: FactorGraph, sampler: AbstractSampler, **static):
    """Return a trace of the size that `trace` has with these static arguments, whatever the others are."""
    return trace(jax.random.key(0), graph, sampler, graph.variables.evidence_rows(None, 1), None, 0, 1, **static)


@jax.jit
def start(key, graph: FactorGraph, sampler: AbstractSampler, unaries, previous):
    """Return the sampler's state of all samples before the first sweep; `previous` is (num_samples, ...) or None."""
    number = unaries.shape[-1]
    previous = chunks.samples_last(sampler.prepare(key, graph, number, previous), unaries.dtype)
    return sampler.init(keys_of(keys_of(key, jnp.arange(number)), 0), graph, unaries, previous)


@jax.jit
def advance(key, graph: FactorGraph, sampler: AbstractSampler, unaries, number, state):
    """Return the state of all samples after one sweep that follows `number` earlier sweeps."""
    own = jax.eval_shape(start, key, graph, sampler, unaries, None)  # only while JAX traces: it costs nothing later
    same_form("state (it may be of another kernel)", state, own)
    return sweep_unfinished(keys_of(key, jnp.arange(unaries.shape[-1])), graph, sampler, unaries, number, state)


def sweep_unfinished(keys, graph: FactorGraph, sampler: AbstractSampler, unaries, number, state):
    """Return the state after one sweep that does not change finished samples."""
    new = checked_sweep(sampler, keys_of(keys, number + 1), graph, unaries, state)
    done = finished(sampler, state, len(keys))
    return jax.tree.map(lambda old, new: jnp.where(done, old, new), state, new)


def clamped_unaries(graph: FactorGraph, evidence, batch=None):
    """Return the graph's unaries as planes (planes, n, batch), clamped by flat evidence (n, batch).

    With the number `batch`, evidence (n, 1) clamps all batch elements.
    """
    clamped = planes.clamp(graph.planes(), evidence)
    return clamped if batch is None else jnp.broadcast_to(clamped, (*clamped.shape[:2], batch))
