"""The programs that JAX compiles: a chunk of samples from its noise to its states, and the one loop over sweeps.

The verbs run them in batches (`batches.py`); inside `jit` they call `draw` directly. All arrays of a chunk end in the
axis of its samples, (planes, n, chunk). `pmp_kit.engine.planes` describes these arrays.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

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
    in_pairs = graph.crosses and part.workload == "messages"

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


def begin_chunk(first_keys, graph: FactorGraph, sampler: AbstractSampler, unaries, previous) -> PyTree:
    """Return the state of a chunk of samples before the first sweep. Args: those of `advance_chunk`."""
    graph, sampler, previous = jax.lax.stop_gradient((graph, sampler, previous))
    return sampler.init(first_keys, graph, unaries, chunks.samples_last(previous, unaries.dtype))


def advance_chunk(
    keys, graph: FactorGraph, sampler: AbstractSampler, unaries, state, first, until, observe: Callable | None = None
) -> tuple[tuple[PyTree, PyTree, Array], PyTree]:
    """Make sweeps of a chunk of samples.

    Args:
        keys: one key for each sample, (chunk,).
        unaries: (planes, n, chunk), clamped by the evidence.
        first, until: the numbers of sweeps before and after.
        observe: a function (sampler, graph, unaries, state) -> arrays (..., chunk) in place of the states.

    Returns: (states, chains, sweeps of each sample), all with the samples first; and the state.
    """
    model, (graph, sampler) = graph, jax.lax.stop_gradient((graph, sampler))
    state, used = sample_sweeps(sampler, keys, graph, unaries, state, first, until)
    if observe is None:
        seen = planes.to_states(sampler.view(graph, unaries, state).states)
    else:
        seen = observe(sampler, model, unaries, state)
    return (chunks.samples_first(seen), chains_of(sampler, state), used), state


def chains_of(sampler: AbstractSampler, state: PyTree) -> PyTree:
    """Return the state with the samples first, as `previous` takes it; None for independent draws."""
    return chunks.samples_first(state) if sampler.is_markov_chain else None


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
    key, graph: FactorGraph, sampler: AbstractSampler, num_sweeps, ids, evidence, previous, *, on, observe=None
):
    """Return states, chains and sweeps of the samples `ids` (R, chunk), one chunk at a time on each device of `on`.

    Args:
        evidence: (R, chunk, n), or (n,) if it is the same for all samples.
        previous: the state to continue from, arrays (R, chunk, ...), or None.
        observe: see `advance_chunk`.
    """

    def draw_chunk(chunk, graph, sampler, num_sweeps):
        state = begin_chunk(chunk.first_keys, graph, sampler, chunk.unaries, chunk.batched)
        return advance_chunk(chunk.keys, graph, sampler, chunk.unaries, state, 0, num_sweeps, observe)[0]

    return _each_chunk(draw_chunk, key, (graph, sampler, num_sweeps), ids, evidence, previous, on)


def begin_chunks(key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, *, on):
    """Return the sampler's state of the samples `ids` before the first sweep. Args: those of `draw_chunks`."""

    def begin(chunk, graph, sampler):
        return begin_chunk(chunk.first_keys, graph, sampler, chunk.unaries, chunk.batched)

    return _each_chunk(begin, key, (graph, sampler), ids, evidence, previous, on)


def advance_chunks(
    key, graph: FactorGraph, sampler: AbstractSampler, first, until, ids, evidence, state, *, on, observe=None
):
    """Return the results of `draw_chunks` after the sweeps `first` to `until`, and the state."""

    def advance(chunk, graph, sampler, first, until):
        return advance_chunk(chunk.keys, graph, sampler, chunk.unaries, chunk.batched, first, until, observe)

    return _each_chunk(advance, key, (graph, sampler, first, until), ids, evidence, state, on)


class Chunk(NamedTuple):
    """What belongs to the samples of one chunk."""

    keys: Array | None
    """None for the search of `solve`, which draws nothing."""
    first_keys: Array | None
    """The keys of the state before the first sweep."""
    unaries: Float[Array, "planes n chunk"]
    batched: PyTree
    """The state to continue from, arrays (chunk, ...), or a state, arrays (..., chunk)."""


def _each_chunk(function: Callable, key, shared: tuple, ids, evidence, batched, on):
    """Return function(chunk, *shared) of each row of `ids` (R, chunk), one after another on each device of `on`."""

    def all_chunks(shared, arguments):
        (key, of_all, *shared), (ids, of_each, batched) = shared, arguments
        keys = keys_of(key, ids.reshape(-1))  # all at once, because the smallest hash takes 20 microseconds
        keys, first_keys = jax.tree.map(lambda each: each.reshape(ids.shape), (keys, keys_of(keys, 0)))

        def one_chunk(row):
            ids, keys, first_keys, evidence, batched = row
            evidence = of_all[:, None] if evidence is None else evidence.T
            unaries = jax.lax.stop_gradient(clamped_unaries(shared[0], evidence, len(ids)))
            return function(Chunk(keys, first_keys, unaries, batched), *shared)

        return jax.lax.map(one_chunk, (ids, keys, first_keys, of_each, batched))

    of_all, of_each = (evidence, None) if evidence.ndim == 1 else (None, evidence)
    return devices.spread(all_chunks, (key, of_all, *shared), (ids, of_each, batched), on)


def draw(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps, number, chunk=None, *, on,
    observe=None,
):  # fmt: skip
    """Draw samples inside compiled functions, in one call and without argument checks.

    Args: those of `pmp_kit.sample`, with evidence (number, n), or (1, n) if it is the same for all samples, the number
        of samples, devices `on`, and `observe` of `advance_chunk`.

    Returns: state numbers (number, n), chains, and the number of sweeps of each sample, (number,).
    """
    chunk = chunks.choose(graph, sampler, number, on) if chunk is None else min(chunk, number)
    previous = sampler.prepare(key, graph, number, previous)
    ids = chunks.padded(number, chunk * len(on)).reshape(-1, chunk)
    batched = chunks.take_evidence(evidence, ids), chunks.take(previous, ids)
    part = programs(wide=False).draw(key, graph, sampler, num_sweeps, on_device(ids), *batched, on=on, observe=observe)
    return chunks.join([part], number)


@partial(jax.jit, static_argnames=("number", "observe", "buffer", "go_on"), donate_argnames="state")
def trace(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, state, first, until, every, *, number,
    observe, buffer, go_on=False,
):  # fmt: skip
    """Return what `observe` returns after `first` sweeps, after each `every` sweeps, and after `until` sweeps.

    Args:
        evidence: that of `draw`.
        state: the state of an earlier call; None to begin.
        first, until: the numbers of sweeps before and after, at most `buffer` times `every` apart.
        go_on: whether to return the state.

    Returns: arrays (buffer + 1, ..., number), with 0 after the last row; the chains; and the state or None.
    """
    keys, unaries = keys_of(key, jnp.arange(number)), clamped_unaries(graph, evidence.T, number)
    state = start(key, graph, sampler, unaries, previous) if state is None else state

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
    """Return a trace of the size that `trace` has with these static arguments, whatever the others are."""
    free = graph.variables.evidence_rows(None, 1)
    return trace(jax.random.key(0), graph, sampler, free, None, None, 0, 1, 1, **static)[:2]


@jax.jit
def start(key, graph: FactorGraph, sampler: AbstractSampler, unaries, previous):
    """Return the sampler's state of all samples before the first sweep; `previous` is (num_samples, ...) or None."""
    number = unaries.shape[-1]
    keys, previous = keys_of(key, jnp.arange(number)), sampler.prepare(key, graph, number, previous)
    return begin_chunk(keys_of(keys, 0), graph, sampler, unaries, previous)


@jax.jit
def advance(key, graph: FactorGraph, sampler: AbstractSampler, unaries, number, state):
    """Return the state of all samples after one sweep that follows `number` earlier sweeps."""
    own = jax.eval_shape(start, key, graph, sampler, unaries, None)  # only while JAX traces: it costs nothing later
    if described(state) != described(own):
        raise ValueError(f"state (it may be of another kernel): expected {described(own)}, got {described(state)}")
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
