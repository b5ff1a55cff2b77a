"""The programs that JAX compiles: a chunk of samples from its noise to its states, and the one loop over sweeps.

`batches.py` runs them in calls of about half a second; inside `jit`, `sample` and `solve` call `draw_at_once`. All
arrays of a chunk end in the axis of its samples, (planes, n, chunk). `pmp_kit.engine.planes` describes these arrays.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from .engine import calls, chunks, planes
from .engine.arrays import on_device
from .engine.checks import described
from .engine.devices import sharded
from .engine.signatures import PyTree
from .graph import FactorGraph
from .results import Solution
from .samplers import AbstractSampler
from .samplers.base import keys_of
from .solvers import AbstractSolver
from .solvers.max_product import CHECK_EVERY
from .solvers.ties import tied


class Task(NamedTuple):
    """What is drawn: the arguments of `sample`, `solve` or another function after their checks."""

    key: Any
    """None for `solve`, which draws nothing at random."""
    graph: FactorGraph
    sampler: AbstractSampler
    evidence: Any
    """(num_samples, n), or (1, n) if it is the same for all samples."""
    previous: PyTree
    """What `sampler.prepare` returns: the chains to continue or joint noise, arrays (num_samples, ...), or None."""
    num_sweeps: Any
    num_samples: int
    chunk: int
    """The number of samples that are computed at once."""
    devices: tuple[Any, ...]
    answer: Callable | None = None
    """What is returned in place of the states; see `draw_chunks`."""


def iterate(
    algorithm: Any, sweep: Callable, graph: FactorGraph, unaries, state: PyTree, start_sweep: Any, end_sweep: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Make sweeps until their number is `end_sweep` or all batch elements are done: the loop of Algorithm 1.

    If the algorithm has `inspect`, this is called before the first sweep and before every sweep whose number is a
    multiple of CHECK_EVERY. Batch elements can become done only there.

    Args:
        algorithm: the sampler or the solver, with `done`, `inspect` and `workload`.
        sweep: a function (number of earlier sweeps, state) -> state.
        start_sweep: the number of earlier sweeps.

    Returns: the state, and how many of these sweeps each batch element took.
    """
    # If new messages cannot be written in place of the old ones, XLA copies all messages once in each iteration. With
    # two sweeps in an iteration, the first one writes to a second buffer and the next one back, so nothing is copied.
    in_pairs = graph.needs_two_buffers and algorithm.workload == "messages"

    def unfinished(carry):
        number, state, _ = carry
        return (number < end_sweep) & ~algorithm.done(state).all()

    def one_sweep(numbered):
        number, state = numbered
        return number + 1, sweep(number, state)

    def several_sweeps(carry):
        number, state, taken = carry
        if algorithm.inspect is None:
            done, numbered = algorithm.done(state), one_sweep((number, state))
        else:
            state = algorithm.inspect(graph, unaries, state)
            done = algorithm.done(state)
            next_check = jnp.minimum((number // CHECK_EVERY + 1) * CHECK_EVERY, end_sweep)
            end, numbered = jnp.where(done.all(), number, next_check), (number, state)
            if in_pairs:
                two_sweeps = lambda numbered: one_sweep(one_sweep(numbered))  # noqa: E731
                numbered = jax.lax.while_loop(lambda numbered: numbered[0] + 1 < end, two_sweeps, numbered)
            numbered = jax.lax.while_loop(lambda numbered: numbered[0] < end, one_sweep, numbered)
        return *numbered, taken + jnp.where(done, 0, numbered[0] - number)

    taken = jnp.zeros(algorithm.done(state).shape, jnp.int32)
    return jax.lax.while_loop(unfinished, several_sweeps, (jnp.asarray(start_sweep, jnp.int32), state, taken))[1:]


def sample_sweeps(
    sampler: AbstractSampler, keys, graph: FactorGraph, unaries, state: PyTree, start_sweep: Any, end_sweep: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Return the state of a sampler after `end_sweep` sweeps, and how many of them each sample took from
    `start_sweep` on.
    """
    sweep = lambda number, state: sampler.sweep(keys_of(keys, number + 1), graph, unaries, state)  # noqa: E731
    return iterate(sampler, sweep, graph, unaries, state, start_sweep, end_sweep)


def solver_sweeps(
    solver: AbstractSolver, graph: FactorGraph, unaries, state: PyTree, start_sweep: Any, end_sweep: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Return the state of a solver after more sweeps, and the number of sweeps of each batch element."""
    sweep = lambda number, state: solver.sweep(graph, unaries, state)  # noqa: E731
    return iterate(solver, sweep, graph, unaries, state, start_sweep, end_sweep)


WIDE = {"xla_cpu_prefer_vector_width": 512}
"""Options of the compiler for sparse models in chunks of LANES samples. Sweeps take a tenth to a fifth less time if the
CPU has AVX-512. With fewer samples, and in dense models, they can take longer."""


@cache
def compiled_draw_chunks(wide: bool) -> Any:
    """Return the compiled `draw_chunks`, with the options WIDE if `wide`. JAX takes no options inside `jit`."""
    return jax.jit(
        draw_chunks,
        static_argnames=("devices", "answer", "keep_state"),
        donate_argnames="state",
        compiler_options=calls.known_options(**WIDE) if wide else None,
    )


def draw_chunks(
    key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, end_sweep=None, start_sweep=0,
    state=None, *, devices, answer: Callable | None = None, keep_state: bool = False,
):  # fmt: skip
    """Draw samples in R chunks, one chunk after another on each of the devices.

    Args:
        ids: the numbers of the samples, (R, chunk).
        evidence: (R, chunk, n), or (n,) if it is the same for all samples.
        previous: what `sampler.prepare` returned, the chains to continue or joint noise, (R, chunk, ...), or None.
        end_sweep: the number of sweeps; None to return the state before the first sweep.
        start_sweep, state: the number of earlier sweeps and the state after them, arrays (R, ..., chunk); by default
            the chunks begin.
        answer: a function (sampler, graph, unaries, state) -> arrays (..., chunk) in place of the states.
        keep_state: whether to return the state, for further sweeps.

    Returns: a pair. The first entry is (states, chains, sweeps of each sample), arrays (R, chunk, ...), or None if
        `end_sweep` is None. The second is the state, arrays (R, ..., chunk), or None.
    """
    common_evidence, evidence = (evidence, None) if evidence.ndim == 1 else (None, evidence)

    def draw_on_one_device(shared, of_chunks):
        key, graph_with_derivative, sampler, end_sweep, start_sweep, common_evidence = shared
        graph, sampler = jax.lax.stop_gradient((graph_with_derivative, sampler))
        ids, *others = of_chunks
        keys = keys_of(key, ids.reshape(-1))  # all at once, because the smallest hash takes 20 microseconds
        keys, first_keys = jax.tree.map(lambda each: each.reshape(ids.shape), (keys, keys_of(keys, 0)))

        def draw_one_chunk(of_chunk):
            ids, keys, first_keys, evidence, previous, state = of_chunk
            evidence = common_evidence[:, None] if evidence is None else evidence.T
            unaries = clamped_unaries(graph, evidence, len(ids))
            if state is None:
                state = sampler.init(first_keys, graph, unaries, chunks.samples_last(previous, unaries.dtype))
            if end_sweep is None:
                return None, state
            state, sweeps = sample_sweeps(sampler, keys, graph, unaries, state, start_sweep, end_sweep)
            if answer is None:
                found = planes.to_states(sampler.view(graph, unaries, state).states)
            else:
                found = answer(sampler, graph_with_derivative, unaries, state)
            results = chunks.samples_first(found), chains_of(sampler, state), sweeps
            return results, state if keep_state else None

        return jax.lax.map(draw_one_chunk, (ids, keys, first_keys, *others))

    shared = key, graph, sampler, end_sweep, start_sweep, common_evidence
    return sharded(draw_on_one_device, shared, (ids, evidence, previous, state), devices)


def draw_at_once(task: Task) -> tuple[PyTree, PyTree, Array]:
    """Draw samples inside compiled functions, in one call.

    Returns: state numbers (num_samples, n), chains, and the number of sweeps of each sample, (num_samples,).
    """
    chunk = min(task.chunk, task.num_samples)
    previous = task.sampler.prepare(task.key, task.graph, task.num_samples, task.previous)
    ids = chunks.padded(task.num_samples, chunk * len(task.devices)).reshape(-1, chunk)
    results, _ = compiled_draw_chunks(wide=False)(
        task.key, task.graph, task.sampler, on_device(ids), chunks.take_evidence(task.evidence, ids),
        chunks.take(previous, ids), task.num_sweeps, devices=task.devices, answer=task.answer,
    )  # fmt: skip
    return chunks.join([results], task.num_samples)


def chains_of(sampler: AbstractSampler, state: PyTree) -> PyTree:
    """Return the state with the samples first, as `previous` takes it; None for independent draws."""
    return chunks.samples_first(state) if sampler.is_markov_chain else None


@partial(jax.jit, static_argnames=("num_samples", "observe", "room", "keep_state"), donate_argnames="state")
def trace_rows(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, state, start_sweep, end_sweep, every, *,
    num_samples, observe, room, keep_state=False,
):  # fmt: skip
    """Return what `observe` returns after `start_sweep` sweeps, after each `every` sweeps, and at the end.

    Args:
        evidence: (num_samples, n), or (1, n) if it is the same for all samples.
        state: the state of an earlier call; None to begin.
        start_sweep, end_sweep: the numbers of sweeps before and after, at most `room` times `every` apart.
        observe: a function of a `View`.
        room: the number of rows after the first one that the result has room for.
        keep_state: whether to return the state.

    Returns: arrays (room + 1, ..., num_samples), with 0 after the last row; the chains; and the state or None.
    """
    keys, unaries = keys_of(key, jnp.arange(num_samples)), clamped_unaries(graph, evidence.T, num_samples)
    state = first_state(key, graph, sampler, unaries, previous) if state is None else state

    def observed(state):
        return observe(sampler.view(graph, unaries, state))

    first_row = observed(state)
    for leaf in jax.tree.leaves(first_row):
        if jnp.shape(leaf)[-1:] != (num_samples,):
            raise ValueError(
                f"observe: expected arrays with the samples ({num_samples}) on the last axis, got shape "
                f"{jnp.shape(leaf)}; keep that axis"
            )
    begin, end = start_sweep // every, -(-end_sweep // every)

    def add_row(number, carry):
        state, rows = carry
        low, high = jnp.maximum(start_sweep, number * every), jnp.minimum((number + 1) * every, end_sweep)
        state, _ = sample_sweeps(sampler, keys, graph, unaries, state, low, high)
        return state, jax.tree.map(lambda rows, row: rows.at[number - begin + 1].set(row), rows, observed(state))

    rows = jax.tree.map(lambda row: jnp.zeros((room + 1, *row.shape), row.dtype).at[0].set(row), first_row)
    state, rows = jax.lax.fori_loop(begin, end, add_row, (state, rows))
    return rows, chains_of(sampler, state), state if keep_state else None


def room_of(rows: int) -> int:
    """Return the rows that a trace has room for: a power of two, so that few numbers of rows compile again."""
    return 1 << max(rows - 1, 0).bit_length()


def shortest_trace(graph: FactorGraph, sampler: AbstractSampler, **static):
    """Return the rows and chains of `trace_rows` for one sweep: their sizes depend on the static arguments alone."""
    no_evidence = graph.variables.evidence_rows(None, 1)
    return trace_rows(jax.random.key(0), graph, sampler, no_evidence, None, None, 0, 1, 1, **static)[:2]


@jax.jit
def first_state(key, graph: FactorGraph, sampler: AbstractSampler, unaries, previous):
    """Return the sampler's state of all samples before the first sweep; `previous` is (num_samples, ...) or None."""
    num_samples = unaries.shape[-1]
    keys, previous = keys_of(key, jnp.arange(num_samples)), sampler.prepare(key, graph, num_samples, previous)
    graph, sampler, previous = jax.lax.stop_gradient((graph, sampler, previous))
    return sampler.init(keys_of(keys, 0), graph, unaries, chunks.samples_last(previous, unaries.dtype))


@jax.jit
def next_state(key, graph: FactorGraph, sampler: AbstractSampler, unaries, num_sweeps, state):
    """Return the state of all samples after one sweep that follows `num_sweeps` earlier sweeps."""
    # only while JAX traces: it costs nothing later
    expected = described(jax.eval_shape(first_state, key, graph, sampler, unaries, None))
    if described(state) != expected:
        raise ValueError(f"state (it may be of another kernel): expected {expected}, got {described(state)}")
    keys = keys_of(key, jnp.arange(unaries.shape[-1]))
    return sample_sweeps(sampler, keys, graph, unaries, state, num_sweeps, num_sweeps + 1)[0]


def solution(sampler, graph_with_derivative: FactorGraph, unaries, state) -> Solution:
    """Return what a solver found, with None in place of the sweeps: the answer of `solve`.

    The score has the derivative of the graph's score of the states found (envelope theorem); the rest has none.

    Args: those of `answer` in `draw_chunks`. The sampler is `Unperturbed`, so the unaries have no noise.
    """
    graph = jax.lax.stop_gradient(graph_with_derivative)
    answer = sampler.solver.answer(graph, unaries, state[1])
    states = planes.to_states(answer.states)
    one_hot = planes.from_states(states, len(unaries), unaries.dtype)  # even if its states are not 0/1 or one-hot
    score = graph_with_derivative.score(one_hot)
    possible = jax.lax.stop_gradient(score) > -jnp.inf
    constant = graph.unary_score(one_hot) - planes.dot(unaries, one_hot)  # what planes leave out of scores
    forbidden = constant == -jnp.inf  # the evidence contradicts the unaries, so no configuration is possible
    constant = jnp.where(forbidden, 0.0, constant)
    bound, log_partition = answer.bound, answer.log_partition
    if bound is not None:
        bound = jnp.maximum(bound + constant, jax.lax.stop_gradient(score))  # they differ by rounding
        bound = jnp.where(forbidden, -jnp.inf, bound)
    if log_partition is not None:
        log_partition = jnp.where(forbidden, -jnp.inf, log_partition + constant)
    fields: dict[str, Any] = {
        "states": states,
        "score": score,
        "bound": bound,
        "marginals": answer.marginals,
        "converged": answer.converged & possible,
        "sweeps": None,
        "log_partition": log_partition,
        "possible": possible,
    }
    return Solution(**fields)


def solution_and_ties(sampler, graph: FactorGraph, unaries, state) -> tuple[Solution, Array]:
    """Return what `MaxProduct` found, and which variables have tied beliefs, (n, batch); see `solution`."""
    return solution(sampler, graph, unaries, state), tied(unaries, graph.beliefs(unaries, state[1].messages))


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
