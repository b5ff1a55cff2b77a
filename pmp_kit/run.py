"""The verbs solve, sample and trace, for every model: arguments checked, loops run, results by the names of blocks."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import chunks, loops, observe, validate
from .graph import as_graph
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
        chains: pass it as `previous=` to continue Markov chains, arrays (num_samples, ...); None for samplers whose
            draws are independent.
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
    states, *rest = loops.solve(graph, solver, jnp.asarray(known.T), total)
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
    known = graph.variables.evidence(evidence, number)
    chunks.check_chains(previous, number)
    chunk = chunks.choose(graph, sampler, number) if chunk is None else chunk
    parts = []
    with bar(number, "sampling") as shown:
        for part in loops.rounds(key, graph, sampler, known, previous, total, chunk):
            parts.append(part)
            shown.update(min(part[-1].size, number))
    states, chains, sweeps = chunks.join(parts, number)
    return Samples(graph.variables.unflatten(states), chains, sweeps)


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
    static = {"observe": observe, "buffer": buffer}
    chunks.check_memory(jax.eval_shape(loops.trace, *arguments, **static), rows, number)
    values = loops.trace(*arguments, **static)
    values = jax.tree.map(lambda x: np.moveaxis(np.asarray(x)[: rows + 1], -1, 1), values)
    return Trace(np.minimum(np.arange(rows + 1) * every, total), values)
