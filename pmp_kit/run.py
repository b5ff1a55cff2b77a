"""The programs that JAX compiles: a chunk of samples from its noise to its states, and the one loop over sweeps.

The verbs run them in batches (`batches.py`); inside `jit` they call `draw_at_once`. All arrays of a chunk end in the
axis of its samples, (planes, n, chunk). `pmp_kit.engine.planes` describes these arrays.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from .engine import calls, chunks, devices, planes
from .engine.arrays import on_device
from .engine.checks import described
from .engine.signatures import PyTree
from .graph import FactorGraph
from .results import Solution
from .samplers import AbstractSampler
from .samplers.base import keys_of
from .solvers import AbstractSolver
from .solvers.max_product import CHECK_EVERY


def iterate(
    part: Any, sweep: Callable, graph: FactorGraph, unaries, state: PyTree, first: Any, until: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Make the sweeps `first` to `until`, or fewer if all batch elements are done: the loop of Algorithm 1.

    A part with `inspect` is checked before each CHECK_EVERY sweeps, and only then something can become done.

    Args:
        part: the sampler or the solver, with `done` and `inspect`.
        sweep: a function (number of earlier sweeps, state) -> state.

    Returns: the state, and how many of these sweeps each batch element took.
    """
    # If new messages cannot be written in place of the old ones, XLA copies all messages once in each iteration. Two
    # sweeps in an iteration write from one place to another and back.
    in_pairs = graph.needs_two_buffers and part.workload == "messages"

    def going(carry):
        t, state, _ = carry
        return (t < until) & ~part.done(state).all()

    def one(now):
        t, state = now
        return t + 1, sweep(t, state)

    def stretch(carry):
        t, state, used = carry
        if part.inspect is None:
            done, now = part.done(state), one((t, state))
        else:
            state = part.inspect(graph, unaries, state)
            done = part.done(state)
            end = jnp.where(done.all(), t, jnp.minimum((t // CHECK_EVERY + 1) * CHECK_EVERY, until))
            now = t, state
            if in_pairs:
                now = jax.lax.while_loop(lambda now: now[0] + 1 < end, lambda now: one(one(now)), now)
            now = jax.lax.while_loop(lambda now: now[0] < end, one, now)
        return *now, used + jnp.where(done, 0, now[0] - t)

    used = jnp.zeros(part.done(state).shape, jnp.int32)
    return jax.lax.while_loop(going, stretch, (jnp.asarray(first, jnp.int32), state, used))[1:]


def sample_sweeps(
    sampler: AbstractSampler, keys, graph: FactorGraph, unaries, state: PyTree, first: Any, until: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Return the state of a sampler after the sweeps `first` to `until`, and the sweeps of each sample."""
    sweep = lambda number, state: sampler.sweep(keys_of(keys, number + 1), graph, unaries, state)  # noqa: E731
    return iterate(sampler, sweep, graph, unaries, state, first, until)


def solver_sweeps(
    solver: AbstractSolver, graph: FactorGraph, unaries, state: PyTree, first: Any, until: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Return the state of a solver after the sweeps `first` to `until`, and the sweeps of each batch element."""
    sweep = lambda number, state: solver.sweep(graph, unaries, state)  # noqa: E731
    return iterate(solver, sweep, graph, unaries, state, first, until)


WIDE = {"xla_cpu_prefer_vector_width": 512}
"""Options of the compiler for chunks of LANES samples that read beliefs by index. Sweeps take a tenth to a fifth less
time if the CPU has AVX-512. With fewer samples, and in dense models, they can take longer."""


@cache
def chunk_program(wide: bool) -> Any:
    """Return the compiled `draw_chunks`. JAX refuses options, as with `wide`, inside other compiled functions."""
    return jax.jit(
        draw_chunks,
        static_argnames=("on", "observe", "keep_state"),
        donate_argnames="state",
        compiler_options=calls.known_options(**WIDE) if wide else None,
    )


def draw_chunks(
    key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, until=None, first=0, state=None, *, on,
    observe: Callable | None = None, keep_state: bool = False,
):  # fmt: skip
    """Draw the samples `ids` (R, chunk), one chunk after another on each device of `on`.

    Args:
        evidence: (R, chunk, n), or (n,) if it is the same for all samples.
        previous: the state of the chains to continue, arrays (R, chunk, ...), or None.
        until: the number of sweeps, or None for the state before the first sweep.
        first, state: the number of earlier sweeps and the state after them, arrays (R, ..., chunk); None to begin.
        observe: a function (sampler, graph, unaries, state) -> arrays (..., chunk) in place of the states.
        keep_state: whether to return the state, to make further sweeps.

    Returns: (states, chains, sweeps of each sample), arrays (R, chunk, ...), or None without sweeps; the state or None.
    """
    for_all, for_each = (evidence, None) if evidence.ndim == 1 else (None, evidence)

    def all_chunks(shared, chunks_of_device):
        key, model, sampler, until, first, for_all = shared
        graph, sampler = jax.lax.stop_gradient((model, sampler))
        ids, *others = chunks_of_device
        keys = keys_of(key, ids.reshape(-1))  # all at once, because the smallest hash takes 20 microseconds
        keys, first_keys = jax.tree.map(lambda each: each.reshape(ids.shape), (keys, keys_of(keys, 0)))

        def one_chunk(row):
            ids, keys, first_keys, evidence, previous, state = row
            evidence = for_all[:, None] if evidence is None else evidence.T
            unaries = clamped_unaries(graph, evidence, len(ids))
            if state is None:
                state = sampler.init(first_keys, graph, unaries, chunks.samples_last(previous, unaries.dtype))
            if until is None:
                return None, state
            state, sweeps = sample_sweeps(sampler, keys, graph, unaries, state, first, until)
            if observe is None:
                seen = planes.to_states(sampler.view(graph, unaries, state).states)
            else:
                seen = observe(sampler, model, unaries, state)
            results = chunks.samples_first(seen), chains_of(sampler, state), sweeps
            return results, state if keep_state else None

        return jax.lax.map(one_chunk, (ids, keys, first_keys, *others))

    shared = key, graph, sampler, until, first, for_all
    return devices.sharded(all_chunks, shared, (ids, for_each, previous, state), on)


def chains_of(sampler: AbstractSampler, state: PyTree) -> PyTree:
    """Return the state with the samples first, as `previous` takes it; None for independent draws."""
    return chunks.samples_first(state) if sampler.is_markov_chain else None


def draw_at_once(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, number, chunk=None, *, on,
    observe=None,
):  # fmt: skip
    """Draw samples inside compiled functions, in one call and without argument checks.

    Args: those of `pmp_kit.sample`, with evidence (number, n), or (1, n) if it is the same for all samples, the number
        of samples, devices `on`, and `observe` of `draw_chunks`.

    Returns: state numbers (number, n), chains, and the number of sweeps of each sample, (number,).
    """
    chunk = chunks.choose(graph, sampler, number, on) if chunk is None else min(chunk, number)
    previous = sampler.prepare(key, graph, number, previous)
    ids = chunks.padded(number, chunk * len(on)).reshape(-1, chunk)
    of_samples = on_device(ids), chunks.take_evidence(evidence, ids), chunks.take(previous, ids)
    part, _ = chunk_program(wide=False)(key, graph, sampler, *of_samples, num_sweeps, on=on, observe=observe)
    return chunks.join([part], number)


@partial(jax.jit, static_argnames=("number", "observe", "buffer", "go_on"), donate_argnames="state")
def trace_rows(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, state, first, until, every, *, number,
    observe, buffer, go_on=False,
):  # fmt: skip
    """Return what `observe` returns after `first` sweeps, after each `every` sweeps, and after `until` sweeps.

    Args:
        evidence: that of `draw_at_once`.
        state: the state of an earlier call; None to begin.
        first, until: the numbers of sweeps before and after, at most `buffer` times `every` apart.
        go_on: whether to return the state.

    Returns: arrays (buffer + 1, ..., number), with 0 after the last row; the chains; and the state or None.
    """
    keys, unaries = keys_of(key, jnp.arange(number)), clamped_unaries(graph, evidence.T, number)
    state = first_state(key, graph, sampler, unaries, previous) if state is None else state

    def seen(state):
        return observe(sampler.view(graph, unaries, state))

    shown = seen(state)
    for leaf in jax.tree.leaves(shown):
        if jnp.shape(leaf)[-1:] != (number,):
            raise ValueError(
                f"observe: expected arrays with the samples ({number}) on the last axis, got shape {jnp.shape(leaf)}; "
                "keep that axis"
            )

    def compute_row(row, carry):
        state, values = carry
        low, high = jnp.maximum(first, row * every), jnp.minimum((row + 1) * every, until)
        state, _ = sample_sweeps(sampler, keys, graph, unaries, state, low, high)
        return state, jax.tree.map(lambda rows, one: rows.at[row - begun + 1].set(one), values, seen(state))

    begun, end = first // every, -(-until // every)
    values = jax.tree.map(lambda one: jnp.zeros((buffer + 1, *one.shape), one.dtype).at[0].set(one), shown)
    state, values = jax.lax.fori_loop(begun, end, compute_row, (state, values))
    return values, chains_of(sampler, state), state if go_on else None


def buffer_of(rows: int) -> int:
    """Return the rows that a trace has room for: a power of two, so that few numbers of rows compile again."""
    return 1 << max(rows - 1, 0).bit_length()


def any_trace(graph: FactorGraph, sampler: AbstractSampler, **static):
    """Return a trace of the size that `trace_rows` has with these static arguments, whatever the others are."""
    free = graph.variables.evidence_rows(None, 1)
    return trace_rows(jax.random.key(0), graph, sampler, free, None, None, 0, 1, 1, **static)[:2]


@jax.jit
def first_state(key, graph: FactorGraph, sampler: AbstractSampler, unaries, previous):
    """Return the sampler's state of all samples before the first sweep; `previous` is (num_samples, ...) or None."""
    number = unaries.shape[-1]
    keys, previous = keys_of(key, jnp.arange(number)), sampler.prepare(key, graph, number, previous)
    graph, sampler, previous = jax.lax.stop_gradient((graph, sampler, previous))
    return sampler.init(keys_of(keys, 0), graph, unaries, chunks.samples_last(previous, unaries.dtype))


@jax.jit
def next_state(key, graph: FactorGraph, sampler: AbstractSampler, unaries, number, state):
    """Return the state of all samples after one sweep that follows `number` earlier sweeps."""
    # only while JAX traces: it costs nothing later
    expected = described(jax.eval_shape(first_state, key, graph, sampler, unaries, None))
    if described(state) != expected:
        raise ValueError(f"state (it may be of another kernel): expected {expected}, got {described(state)}")
    keys = keys_of(key, jnp.arange(unaries.shape[-1]))
    return sample_sweeps(sampler, keys, graph, unaries, state, number, number + 1)[0]


def concluded(sampler, model: FactorGraph, unaries, state) -> Solution:
    """Return what the solver of a perturb-and-MAP sampler found under unaries without noise, except for the sweeps.

    The score has the derivative of `model`'s score of the states found (envelope theorem); the rest has none.
    """
    graph = jax.lax.stop_gradient(model)
    answer = sampler.solver.answer(graph, unaries, state[1])
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
    parts: Any = states, score, bound, answer.marginals, answer.converged & possible, None, logz, possible
    return Solution(*parts)


@jax.jit
def score(graph: FactorGraph, states):
    """Return the score of states (n, *batch), in nats."""
    return graph.score(planes.from_states(states, graph.variables.num_planes, graph.unaries.dtype))


def clamped_unaries(graph: FactorGraph, evidence, batch=None):
    """Return the graph's unaries as planes (planes, n, batch), clamped by flat evidence (n, batch).

    With the number `batch`, evidence (n, 1) clamps all batch elements.
    """
    clamped = planes.clamp(graph.planes(), jnp.asarray(evidence))  # from NumPy under `jax.disable_jit`
    return clamped if batch is None else jnp.broadcast_to(clamped, (*clamped.shape[:2], batch))
