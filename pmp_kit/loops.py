"""The compiled functions of the main functions and of `Kernel`, around the loops over sweeps."""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .engine import calls, chunks, devices, planes
from .engine.arrays import on_device
from .engine.forms import finished, same_form
from .engine.sweeps import all_of
from .graph import FactorGraph
from .samplers import AbstractSampler
from .samplers.base import checked_draw, checked_keep, checked_sweep, keys_of, viewed
from .solvers import AbstractSolver
from .solvers.base import Answer, checked_run


@jax.jit
def solve(graph: FactorGraph, solver: AbstractSolver, evidence, num_sweeps):
    """Solve all batch elements; evidence is (n, batch).

    The derivative of the score is that of the states found (envelope theorem). The search has no derivative.

    Returns: states, score, bound, marginals, converged, sweeps, log Z, and whether the states are possible.
    """
    model, (graph, solver) = graph, jax.lax.stop_gradient((graph, solver))
    unaries = clamped_unaries(graph, evidence)
    answer, _, used = checked_run(solver, graph, unaries, solver.init(graph, unaries), all_of(num_sweeps))
    return concluded(model, graph, unaries, answer, used)


@jax.jit
def begin_solving(graph: FactorGraph, solver: AbstractSolver, evidence):
    """Return the solver's state before the first sweep. Args: those of `solve`."""
    return solver.init(graph, clamped_unaries(graph, evidence))


@partial(jax.jit, donate_argnames="state")
def advance_solving(graph: FactorGraph, solver: AbstractSolver, evidence, state, span):
    """Return the results of `solve` after the sweeps of a span, the sweeps of this span, and the state."""
    unaries = clamped_unaries(graph, evidence)
    answer, state, used = checked_run(solver, graph, unaries, state, span)
    return concluded(graph, graph, unaries, answer, used), used, state


def concluded(model: FactorGraph, graph: FactorGraph, unaries, answer: Answer, used):
    """Return the results of `solve` for a solver's answer; the score has the derivative of `model`'s score."""
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
    return states, score, bound, answer.marginals, answer.converged & possible, used, logz, possible


@jax.jit
def score(graph: FactorGraph, states):
    """Return the score of states (n, *batch), in nats."""
    return graph.score(planes.from_states(states, graph.variables.num_planes, graph.unaries.dtype))


class Programs(NamedTuple):
    """The compiled functions that draw samples: whole chunks, or the start and some sweeps of each chunk."""

    draw: Callable
    begin: Callable
    advance: Callable


WIDE = {"xla_cpu_prefer_vector_width": 512}
"""Options of the compiler for chunks of LANES samples that read beliefs by index. Sweeps take a tenth to a fifth less
time if the CPU has AVX-512. With fewer samples, and in dense models, they can take longer."""


@cache
def programs(wide: bool) -> Programs:
    """Return the compiled functions. JAX refuses options, as with `wide`, inside other compiled functions."""
    compiled = partial(jax.jit, compiler_options=calls.known_options(**WIDE) if wide else None)
    return Programs(
        compiled(draw_chunks, static_argnames=("on", "observe")),
        compiled(begin_chunks, static_argnames="on"),
        compiled(advance_chunks, static_argnames=("on", "observe"), donate_argnames="state"),
    )


def draw_chunks(
    key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, num_sweeps, rows=None, *, on,
    observe=None,
):  # fmt: skip
    """Return states, chains and sweeps of the samples `ids` (R, chunk), one chunk at a time on each device of `on`.

    Args:
        evidence: (R, chunk, n), or (n,) if it is the same for all samples.
        rows: the first row and the number of rows to compute, if not all. The results of the others are 0.
        observe: a function (sampler, graph, unaries, state) -> arrays (..., batch) in place of the states.
    """

    def draw_chunk(shared, own):
        num_sweeps, *shared = shared
        return _advance(shared, own, _begin(shared, own), all_of(num_sweeps), observe)[0]

    return _on_chunks(draw_chunk, key, (num_sweeps, graph, sampler), ids, evidence, previous, on, rows)


def begin_chunks(key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, *, on):
    """Return the sampler's state of the samples `ids` before the first sweep. Args: those of `draw_chunks`."""
    return _on_chunks(_begin, key, (graph, sampler), ids, evidence, previous, on)


def advance_chunks(key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, state, span, *, on, observe=None):
    """Return the results of `draw_chunks` after the sweeps of a span, and the state."""

    def advance_chunk(shared, own):
        span, *shared = shared
        return _advance(shared, own, own[-1], span, observe)

    return _on_chunks(advance_chunk, key, (span, graph, sampler), ids, evidence, state, on)


def _on_chunks(function, key, shared, ids, evidence, batched, on, rows=None):
    """Return function((*shared, evidence of all), (keys, first keys, own evidence, batched)) for each row of `ids`."""

    def all_chunks(shared, arguments):
        (key, *others), (ids, *own) = shared, arguments
        keys = keys_of(key, ids.reshape(-1))  # all at once, because the smallest hash takes 20 microseconds
        first = keys_of(keys, 0)
        return _on_rows(partial(function, others), (keys.reshape(ids.shape), first.reshape(ids.shape), *own), rows)

    of_all, own = (evidence, None) if evidence.ndim == 1 else (None, evidence)
    return devices.spread(all_chunks, (key, *shared, of_all), (ids, own, batched), on)


def _on_rows(function, arguments, rows):
    """Return function(row) for each row of the arguments, or for `rows`, which may be traced, and 0 for the others."""
    if rows is None:
        return jax.lax.map(function, arguments)
    row_of = lambda row: jax.tree.map(lambda x: x[row], arguments)  # noqa: E731

    def compute(row, found):
        put = lambda all_rows, one: jax.lax.dynamic_update_index_in_dim(all_rows, one, row, 0)  # noqa: E731
        return jax.tree.map(put, found, function(row_of(row)))

    shapes, number = jax.eval_shape(function, row_of(0)), len(arguments[0])
    nothing = jax.tree.map(lambda leaf: jnp.zeros((number, *leaf.shape), leaf.dtype), shapes)
    return jax.lax.fori_loop(rows[0], rows[0] + rows[1], compute, nothing)


def _unaries(shared, own):
    """Return the clamped unaries of a chunk."""
    (graph, _, of_all), (keys, _, evidence, _) = shared, own
    return clamped_unaries(graph, of_all[:, None] if evidence is None else evidence.T, len(keys))


def _begin(shared, own):
    """Return the sampler's state of a chunk before the first sweep."""
    (graph, sampler, _), (_, first, _, previous) = shared, own
    unaries = _unaries(shared, own)
    return sampler.init(first, graph, unaries, chunks.samples_last(previous, unaries.dtype))


def _advance(shared, own, state, span, observe):
    """Return states (or what `observe` returns), chains and sweeps of a chunk after a span, and the state."""
    (graph, sampler, _), (keys, *_), unaries = shared, own, _unaries(shared, own)
    states, state, used = checked_draw(sampler, keys, graph, unaries, state, span)
    seen = planes.to_states(states) if observe is None else observe(sampler, graph, unaries, state)
    kept = checked_keep(sampler, state, len(keys))
    return (chunks.samples_first(seen), chunks.samples_first(kept), used), state


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
    part = programs(wide=False).draw(key, graph, sampler, on_device(ids), *batched, num_sweeps, on=on)
    return chunks.join([part], number)


@partial(jax.jit, static_argnames=("number", "observe", "buffer", "go_on"), donate_argnames="state")
def trace(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, state, span, every, *, number, observe,
    buffer, go_on=False,
):  # fmt: skip
    """Return what `observe` returns at the start of a span, after each `every` sweeps, and at its end.

    Args:
        evidence: that of `draw`.
        state: the state of an earlier call; None to begin.
        span: at most `buffer` times `every` sweeps. It may begin at any sweep.
        go_on: whether to return the state.

    Returns: arrays (buffer + 1, ..., number), with 0 after the last row; the chains; and the state or None.
    """
    keys, unaries = keys_of(key, jnp.arange(number)), clamped_unaries(graph, evidence.T, number)
    state = start(key, graph, sampler, unaries, previous) if state is None else state
    first = observe(viewed(sampler, graph, unaries, state))
    for leaf in jax.tree.leaves(first):
        if jnp.shape(leaf)[-1:] != (number,):
            raise ValueError(
                f"observe: expected arrays with the samples ({number}) on the last axis, got shape {jnp.shape(leaf)}; "
                "keep that axis"
            )

    def compute_row(row, carry):
        state, values = carry
        low, high = jnp.maximum(span.first, row * every), jnp.minimum((row + 1) * every, span.until)
        state = jax.lax.fori_loop(low, high, partial(sweep_unfinished, keys, graph, sampler, unaries), state)
        seen = observe(viewed(sampler, graph, unaries, state))
        return state, jax.tree.map(lambda rows, one: rows.at[row - begun + 1].set(one), values, seen)

    begun, end = span.first // every, -(-span.until // every)
    values = jax.tree.map(lambda one: jnp.zeros((buffer + 1, *one.shape), one.dtype).at[0].set(one), first)
    state, values = jax.lax.fori_loop(begun, end, compute_row, (state, values))
    return values, chunks.samples_first(checked_keep(sampler, state, number)), state if go_on else None


def buffer_of(rows: int) -> int:
    """Return the rows that a trace has room for: a power of two, so that few numbers of rows compile again."""
    return 1 << max(rows - 1, 0).bit_length()


def any_trace(graph: FactorGraph, sampler: AbstractSampler, **static):
    """Return a trace of the size that `trace` has with these static arguments, whatever the others are."""
    free = graph.variables.evidence_rows(None, 1)
    return trace(jax.random.key(0), graph, sampler, free, None, None, all_of(0), 1, **static)[:2]


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
