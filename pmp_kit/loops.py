"""The only loops over sweeps, and the compiled functions around them, for the verbs solve, sample, trace and fit."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from . import chunks, devices, planes
from .graph import FactorGraph
from .samplers import AbstractSampler
from .solvers import AbstractSolver


@jax.jit
def solve(graph: FactorGraph, solver: AbstractSolver, evidence, num_sweeps):
    """States, score, bound, marginals, convergence, sweeps and log Z of all copies at once; evidence (n, batch)."""
    unaries = clamped_unaries(graph, evidence)

    state, used = sweep_until_done(
        lambda t, state: solver.sweep(graph, unaries, state), solver.done, solver.init(graph, unaries), num_sweeps
    )
    answer = solver.answer(graph, unaries, state)
    score = graph.score(answer.states)
    shift = graph.unary_score(answer.states) - planes.dot(unaries, answer.states)  # of what planes do not count
    forbidden = shift == -jnp.inf  # by the unaries, although it is evidence: then no configuration is possible
    shift = jnp.where(forbidden, 0.0, shift)
    bound = None if answer.bound is None else jnp.maximum(answer.bound + shift, score)  # they differ by rounding
    bound = None if bound is None else jnp.where(forbidden, -jnp.inf, bound)
    logz = None if answer.log_partition is None else answer.log_partition + shift
    converged = answer.converged & (score > -jnp.inf)
    return planes.to_states(answer.states), score, bound, answer.marginals, converged, used, logz


@jax.jit
def sample_round(key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, num_sweeps):
    """One round: the samples `ids` (R, chunk), a chunk at a time on every device."""

    def run_chunk(shared, arguments):
        (key, graph, sampler, num_sweeps), (ids, evidence, previous) = shared, arguments
        keys, unaries = keys_of(key, ids), clamped_unaries(graph, evidence.T)

        state, used = sweep_until_done(
            lambda t, state: sampler.sweep(keys_of(keys, t + 1), graph, unaries, state),
            sampler.done,
            sampler.init(keys_of(keys, 0), graph, unaries, chunks.samples_last(previous)),
            num_sweeps,
        )
        states = planes.to_states(sampler.view(graph, unaries, state).states)
        return states.T, chunks.samples_first(sampler.keep(state)), used

    def run_chunks(shared, arguments):
        return jax.lax.map(partial(run_chunk, shared), arguments)

    return devices.spread(run_chunks, (key, graph, sampler, num_sweeps), (ids, evidence, previous))


def rounds(key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, chunk):
    """States, chains and sweeps of one round of samples after the other, worked on side by side."""
    number = len(evidence)
    previous = sampler.prepare(key, graph, number, previous)

    def work(ids):
        arguments = devices.on_all((key, graph, sampler, ids, *chunks.take((evidence, previous), ids), num_sweeps))
        return devices.gathered(sample_round(*arguments))

    for states, chains, sweeps in chunks.side_by_side(work, chunks.rounds(number, chunk)):
        yield np.asarray(states), chains, np.asarray(sweeps)


def draw(key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps):
    """Samples, for use inside compiled functions: all in one round, nothing checked.

    Args: as `pmp_kit.sample`, with evidence (num_samples, n).
    Returns: state numbers (num_samples, n), chains, sweeps used (num_samples,).
    """
    number = len(evidence)
    chunk = chunks.choose(graph, sampler, number)
    previous = sampler.prepare(key, graph, number, previous)
    ids = chunks.padded(number, chunk * jax.device_count()).reshape(-1, chunk)
    part = sample_round(key, graph, sampler, jnp.asarray(ids), *chunks.take((evidence, previous), ids), num_sweeps)
    return chunks.join([part], number)


def draw_on_cores(key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, chunk: int):
    """As `draw`, outside of compiled functions, with chunks of this size side by side on the cores."""
    done = rounds(key, graph, sampler, evidence, previous, num_sweeps, chunk)
    return chunks.join(list(done), len(evidence))


@partial(jax.jit, static_argnames=("observe", "buffer"))
def trace(key, graph: FactorGraph, sampler: AbstractSampler, evidence, num_sweeps, every, *, observe, buffer):
    """What `observe` says before the first sweep and after each `every` sweeps, (buffer + 1, ..., batch)."""
    keys, unaries = keys_of(key, jnp.arange(evidence.shape[1])), clamped_unaries(graph, evidence)
    previous = sampler.prepare(key, graph, evidence.shape[1], None)
    start = sampler.init(keys_of(keys, 0), graph, unaries, chunks.samples_last(previous))

    def sweep(t, state):
        return sampler.sweep(keys_of(keys, t + 1), graph, unaries, state)

    def row(state, number):
        first = number * every
        state = jax.lax.fori_loop(first, jnp.minimum(first + every, num_sweeps), sweep, state)
        return state, observe(sampler.view(graph, unaries, state))

    first = observe(sampler.view(graph, unaries, start))
    _, rest = jax.lax.scan(row, start, jnp.arange(buffer))
    return jax.tree.map(lambda one, many: jnp.concatenate([one[None], many]), first, rest)


def sweep_until_done(sweep, done, state, num_sweeps):
    """Apply sweep(t, state) num_sweeps times, or until all copies are done; the state and each copy's sweeps."""

    def step(carry):
        t, state, used = carry
        return t + 1, sweep(t, state), used + (~done(state)).astype(jnp.int32)

    carry = (jnp.int32(0), state, jnp.zeros(done(state).shape, jnp.int32))
    _, state, used = jax.lax.while_loop(lambda c: (c[0] < num_sweeps) & ~done(c[1]).all(), step, carry)
    return state, used


def keys_of(key, data):
    """A key for each of `data`, or for each of many keys."""
    if key.ndim:
        return jax.vmap(jax.random.fold_in, (0, None))(key, data)
    return jax.vmap(jax.random.fold_in, (None, 0))(key, data)


def clamped_unaries(graph: FactorGraph, evidence):
    """The graph's unaries as planes (planes, n, batch), clamped by flat evidence (n, batch)."""
    unaries = graph.planes()[..., None]
    return planes.clamp(jnp.broadcast_to(unaries, (*unaries.shape[:2], evidence.shape[1])), evidence)
