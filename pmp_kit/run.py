"""The verbs solve, sample and trace: the only loops over sweeps, and the only compiled functions, for every model."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import chunks, devices, observe, planes, validate
from .graph import FactorGraph, as_graph
from .progress import bar
from .samplers import PMP, AbstractSampler
from .solvers import AbstractSolver, MaxProduct


class Solution(NamedTuple):
    """What `solve` found; with a leading axis where the evidence had one."""

    states: dict
    """Best configuration found, by block name."""
    score: Any
    """Its score -E(x), in nats."""
    bound: Any
    """Upper bound of the best score, or None."""
    marginals: dict | None
    """Marginals or fractional solution by block name, (*shape, states), or None."""
    converged: Any
    """Whether the solver met its own criterion."""
    sweeps: Any
    """Sweeps used."""
    log_partition: Any
    """Estimate of the log-partition function (Bethe), or None."""


class Samples(dict):
    """Samples by block name, (num_samples, *shape) int32.

    Attributes:
        chains: pass it as `previous=` to continue Markov chains; None for samplers whose draws are independent.
        sweeps: sweeps that each sample used, (num_samples,): fewer than asked for where a sampler was done earlier.
    """

    def __init__(self, named: dict, chains: Any, sweeps: np.ndarray):
        super().__init__(named)
        self.chains = chains
        self.sweeps = sweeps


class Trace(NamedTuple):
    """What was observed along the sweeps."""

    sweeps: np.ndarray
    """Sweep number of each row, (T,); row 0 is the state before the first sweep."""
    values: Any
    """The observations, (T, num_samples, ...)."""


def solve(model, solver: AbstractSolver | None = None, *, num_sweeps: int = 200, evidence=None) -> Solution:
    """Find the best configuration of a model, max_x score(x), without noise (Section 2.4).

    Args:
        model: a FactorGraph or anything with .graph().
        solver: by default MaxProduct().
        num_sweeps: the most sweeps.
        evidence: dict block name -> states or FREE, in the block's shape, or with one leading axis for many problems.
    Cost: num_sweeps sweeps for each. Raises: TypeError or ValueError that names the argument, or what does not fit.
    """
    graph = as_graph(model)
    solver = validate.instance("solver", MaxProduct() if solver is None else solver, AbstractSolver, "MaxProduct()")
    solver.check(graph)
    total = validate.count("num_sweeps", num_sweeps, minimum=0)
    flat = graph.variables.flatten(evidence or {}, argument="evidence")
    known = graph.variables.evidence(evidence, flat.shape[0] if flat.ndim > 1 else 1)
    states, *rest = _solve(graph, solver, jnp.asarray(known.T), total)
    states, rest = np.asarray(states).T, [None if x is None else np.asarray(x) for x in rest]
    if flat.ndim == 1:
        states, rest = states[0], [None if x is None else x[..., 0] for x in rest]
    score, bound, marginals, *others = rest
    marginals = None if marginals is None else graph.variables.unflatten_marginals(marginals)
    return Solution(graph.variables.unflatten(states), score, bound, marginals, *others)


def sample(
    key, model, sampler: AbstractSampler | None = None, *, num_samples: int, num_sweeps: int,
    evidence=None, previous=None, chunk: int | None = None,
) -> Samples:  # fmt: skip
    """Draw samples from a model (Algorithm 1 with the default, PMP).

    Sample s uses fold_in(key, s): it depends neither on how many are drawn nor on the chunk.

    Args:
        key: a JAX key, jax.random.key(0) say.
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP().
        num_samples: how many.
        num_sweeps: sweeps for each (the most, for samplers that know when they are done).
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).
        previous: the `.chains` of an earlier call with the same num_samples, to continue Markov chains.
        chunk: samples worked on at once; by default as many as stay in the cache (see `pmp_kit.chunks`).
    Cost: num_samples x num_sweeps sweeps. Raises: TypeError or ValueError that names the argument.
    """
    key, graph = validate.key(key), as_graph(model)
    sampler = validate.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    sampler.check(graph)
    number = validate.count("num_samples", num_samples)
    total = validate.count("num_sweeps", num_sweeps, minimum=0)
    known = graph.variables.evidence(evidence, number).T
    chunks.check_chains(previous, number)
    previous = sampler.prepare(key, graph, number, previous)

    def work(ids):
        arguments = devices.on_all((key, graph, sampler, ids, *chunks.take((known, previous), ids), total))
        return devices.gathered(_sample(*arguments))

    rounds = chunks.rounds(number, chunks.choose(graph, sampler, number) if chunk is None else chunk)
    parts = []
    with bar(number, "sampling") as shown:
        for states, chains, sweeps in chunks.side_by_side(work, rounds):
            parts.append((np.asarray(states), chains, np.asarray(sweeps)))
            shown.update(min(rounds[0].size, number))
    states, chains, sweeps = chunks.join(parts, number)
    return Samples(graph.variables.unflatten(states.T), chains, sweeps)


def trace(
    key, model, sampler: AbstractSampler | None = None, *, num_sweeps: int,
    observe=observe.states, every: int = 1, num_samples: int = 1, evidence=None,
) -> Trace:  # fmt: skip
    """Sample, and record what `observe` returns before the first sweep and after each `every` sweeps.

    Compiled once for each power of two of rows; the numbers of sweeps are traced. All samples run at once.
    Arguments that are not listed are those of `sample`.

    Args:
        observe: a function of a `View`, such as pmp_kit.observe.beliefs; each new function object compiles again.
        every: sweeps between rows.

    Raises: ValueError if the rows would not fit in memory.
    """
    key, graph = validate.key(key), as_graph(model)
    sampler = validate.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    sampler.check(graph)
    if not callable(observe):
        raise TypeError(
            f"observe: expected a function such as pmp_kit.observe.beliefs, got {validate.describe(observe)}"
        )
    number, every = validate.count("num_samples", num_samples), validate.count("every", every)
    total = validate.count("num_sweeps", num_sweeps, minimum=0)
    rows = -(-total // every)
    buffer = 1 << max(rows - 1, 0).bit_length()
    arguments = (key, graph, sampler, jnp.asarray(graph.variables.evidence(evidence, number).T), total, every)
    work = partial(_trace, observe=observe, buffer=buffer)
    chunks.check_memory(jax.eval_shape(work, *arguments), rows, number)
    values = jax.tree.map(lambda x: np.moveaxis(np.asarray(x)[: rows + 1], -1, 1), work(*arguments))
    return Trace(np.minimum(np.arange(rows + 1) * every, total), values)


def draw(key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps):
    """The heart of `sample`, for use inside compiled functions: all samples in one round, nothing checked.

    Args: as `sample`, with evidence (n, num_samples).
    Returns: state numbers (n, num_samples), chains, sweeps used (num_samples,).
    """
    number = evidence.shape[1]
    chunk = chunks.choose(graph, sampler, number)
    previous = sampler.prepare(key, graph, number, previous)
    ids = chunks.padded(number, chunk * jax.device_count()).reshape(-1, chunk)
    part = _sample(key, graph, sampler, jnp.asarray(ids), *chunks.take((evidence, previous), ids), num_sweeps)
    return chunks.join([part], number)


@jax.jit
def _solve(graph: FactorGraph, solver: AbstractSolver, evidence, num_sweeps):
    unaries = clamped_unaries(graph, evidence)

    state, used = sweep_until_done(
        lambda t, state: solver.sweep(graph, unaries, state), solver.done, solver.init(graph, unaries), num_sweeps
    )
    answer = solver.answer(graph, unaries, state)
    score = graph.score(answer.states)
    bound = None if answer.bound is None else answer.bound + (score - answer.score)
    logz = None if answer.log_partition is None else answer.log_partition + (score - answer.score)
    return planes.to_states(answer.states), score, bound, answer.marginals, answer.converged, used, logz


@jax.jit
def _sample(key, graph: FactorGraph, sampler: AbstractSampler, ids, evidence, previous, num_sweeps):
    """One round: the samples `ids` (R, chunk), a chunk at a time on every device."""

    def run_chunk(shared, arguments):
        (key, graph, sampler, num_sweeps), (ids, evidence, previous) = shared, arguments
        keys, unaries = keys_of(key, ids), clamped_unaries(graph, evidence)

        state, used = sweep_until_done(
            lambda t, state: sampler.sweep(keys_of(keys, t + 1), graph, unaries, state),
            sampler.done,
            sampler.init(keys_of(keys, 0), graph, unaries, previous),
            num_sweeps,
        )
        return planes.to_states(sampler.view(graph, unaries, state).states), sampler.keep(state), used

    def run_chunks(shared, arguments):
        return jax.lax.map(partial(run_chunk, shared), arguments)

    return devices.spread(run_chunks, (key, graph, sampler, num_sweeps), (ids, evidence, previous))


@partial(jax.jit, static_argnames=("observe", "buffer"))
def _trace(key, graph: FactorGraph, sampler: AbstractSampler, evidence, num_sweeps, every, *, observe, buffer):
    keys, unaries = keys_of(key, jnp.arange(evidence.shape[1])), clamped_unaries(graph, evidence)
    previous = sampler.prepare(key, graph, evidence.shape[1], None)
    start = sampler.init(keys_of(keys, 0), graph, unaries, previous)

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
