"""The functions sample, stream, trace, solve and score: they check arguments, and name the blocks in the results.

Between the two, `batches.py` divides the samples into chunks, and `run.py` computes a chunk. Inside `jit`, `vmap` and
`grad` one compiled call computes all chunks, and the results are JAX arrays. Checks of values, progress bars and
threads are left out there.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from . import batches, run
from .engine import checks, chunks, identity_cache, memory, parameters
from .engine.arrays import any_traced, is_traced, known_structure, with_values
from .engine.devices import Devices, chosen
from .engine.planes import FREE
from .engine.signatures import Floats, NamedArrays, PyTree
from .graph import FactorGraph, Model, as_graph
from .results import Samples, Solution, Trace
from .samplers import PMP, AbstractSampler, View, observe
from .samplers.base import check_evidence, check_previous
from .samplers.perturb_and_map import Unperturbed, unperturbed
from .solvers import AbstractSolver, MaxProduct

DEFAULT_SAMPLER, DEFAULT_SOLVER = PMP(), MaxProduct()  # made once: Equinox takes 0.1 ms to build a sampler


def sample(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, num_samples: int, num_sweeps: int | Array,
    evidence: NamedArrays | None = None, previous: PyTree = None, chunk: int | None = None,
    devices: Devices | None = None,
) -> Samples:  # fmt: skip
    """Draw samples from a model (by default with PMP, perturb-and-max-product, Algorithm 1).

    Sample s uses the key fold_in(key, s), so its random numbers do not depend on the number of samples, the chunk or
    the devices (except with `StratifiedGumbel`, and with keys of kind "rbg"). They are the same inside `jit` and `vmap`
    on one device. The rounding of sums depends on the size of a chunk, so single samples of dense models can differ,
    above all those of searches that have not converged. Samples have no derivative.

    Args:
        key: a JAX key such as jax.random.key(0).
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP().
        num_samples: the number of samples.
        num_sweeps: the number of sweeps for each sample. Samplers with a stopping criterion may use fewer. Use 0 for
            samplers without sweeps, such as ForwardBackward(); others then return their start.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).
        previous: the `.chains` of an earlier call with the same num_samples, to continue Markov chains. Each such call
            needs a new key: the same key repeats the random numbers, which biases the samples.
        chunk: the number of samples that are computed at once; by default so few that their state fits in the cache of
            a CPU core, or in 512 MB on a GPU.
        devices: the JAX devices to use, such as jax.devices()[:2]; by default all, or that of jax.default_device.

    Returns: `Samples`. Cost: num_samples * num_sweeps sweeps. Raises: TypeError or ValueError that names the argument,
    also if the samples do not fit in memory.
    """
    task = _checked(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices)
    if task.traced:
        states, chains, sweeps = run.draw_at_once(*task[:-3], on=task.devices)
    else:
        memory.check_samples(task.number, task.graph.variables.count)
        states, chains, sweeps = chunks.join(list(_parts(task)), task.number)
    return Samples(task.graph.variables.unflatten(states), chains, sweeps)


def stream(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, num_samples: int, num_sweeps: int,
    evidence: NamedArrays | None = None, previous: PyTree = None, chunk: int | None = None,
    devices: Devices | None = None,
) -> Iterator[Samples]:  # fmt: skip
    """Draw the samples of `sample` in parts, when all of them together do not fit in memory.

    The parts in order are the samples that `sample` draws with the same key. While you use one part, the next ones are
    computed. A loop over the parts may stop at any time. The arguments are those of `sample`. A call with `previous`
    needs a new key.

    Returns: an iterator of `Samples`. A part has at most 64 MB, without its `.chains`, unless one chunk of each device
    is larger. Cost: that of `sample`, and the memory of one part for each CPU core and two more. Raises: TypeError or
    ValueError that names the argument, before the first part is drawn.
    """
    task = _checked(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices)
    if task.traced:
        raise TypeError("stream: expected arrays with values, got traced ones; use sample inside jit and vmap")
    return _named_parts(task)


class _Arguments(NamedTuple):
    """The checked arguments of `sample`, `stream` and `trace`."""

    key: Array
    graph: FactorGraph
    sampler: AbstractSampler
    evidence: Any
    previous: PyTree
    num_sweeps: Any
    number: int
    chunk: int
    devices: tuple[Any, ...]
    traced: bool
    observed: bool
    """Whether evidence was given, so that the samples are compared with it."""


def _checked(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices) -> _Arguments:
    """Return the checked arguments, with defaults instead of None."""
    key, graph = checks.key(key), as_graph(model)
    sampler = checks.instance("sampler", DEFAULT_SAMPLER if sampler is None else sampler, AbstractSampler, "PMP()")
    number, total, used = checks.count("num_samples", num_samples), checks.sweeps(num_sweeps), chosen(devices)
    traced = any_traced((graph, sampler), key, evidence, previous, total)
    check_supported(sampler, graph, traced)
    check_previous(previous, sampler, number)
    known = graph.variables.evidence_rows(evidence, number)
    on = used[:1] if traced else used  # inside jit, one device computes all chunks
    size = chunks.choose(graph, sampler, number, on) if chunk is None else checks.count("chunk", chunk)
    return _Arguments(key, graph, sampler, known, previous, total, number, size, on, traced, evidence is not None)


def _parts(task: _Arguments) -> Iterator[tuple[Any, PyTree, Any]]:
    """Yield states, chains and sweeps of some chunks in order, after a check of the evidence."""
    first = 0
    for part in batches.draw_parts(*task[:-2]):
        if task.observed:
            check_evidence("sample", task.sampler, part[0], task.evidence, first)
        yield part
        first += part[-1].size


def _named_parts(task: _Arguments) -> Iterator[Samples]:
    """Yield the parts as `Samples`, the last one without the repeated samples that fill its last chunk."""
    left = task.number
    for part in _parts(task):
        states, chains, sweeps = chunks.join([part], min(left, part[-1].size))
        left -= len(sweeps)
        yield Samples(task.graph.variables.unflatten(states), chains, sweeps)


def trace(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, num_sweeps: int,
    observe: Callable[[View], PyTree] = observe.states, every: int = 1, num_samples: int = 1,
    evidence: NamedArrays | None = None, previous: PyTree = None,
) -> Trace:  # fmt: skip
    """Sample, and record the values of `observe` before the first sweep, after every `every` sweeps and at the end.

    All samples are computed at once, in memory, and finished samples do not change. A change of num_sweeps or `every`
    compiles again only if the number of rows passes a power of two. Arguments that are not listed are those of
    `sample`. A call with `previous` needs a new key.

    Args:
        observe: a function of a `View` such as pk.observe.beliefs, whose arrays have the samples on the last axis. Each
            new function object compiles again.
        every: the number of sweeps between two rows.

    Returns: a `Trace`. Cost: that of `sample`, and one call of `observe` for each row.

    Raises: TypeError or ValueError that names the argument, also if the rows do not fit in memory.
    """
    if not callable(observe):
        raise TypeError(f"observe: expected a function such as pk.observe.beliefs, got {checks.describe(observe)}")
    total, every = checks.count("num_sweeps", num_sweeps, minimum=0), checks.count("every", every)
    task = _checked(key, model, sampler, num_samples, total, evidence, previous, chunk=1, devices=None)
    rows = -(-total // every)
    static = {"number": task.number, "observe": observe}
    sizes = static | {"buffer": run.buffer_of(rows)}
    memory.check_trace(memory.bytes_of(run.any_trace, task.graph, task.sampler, **sizes), rows, task.number)
    given = task.graph, task.sampler, task.evidence, task.previous
    if task.traced:
        given = jax.lax.stop_gradient(given)
        values, chains, _ = run.trace_rows(task.key, *given, None, 0, total, every, **sizes)
        values = jax.tree.map(lambda x: jnp.moveaxis(x[: rows + 1], -1, 1), values)
    else:
        values, chains = batches.trace_in_calls(task.key, *given, total, every, **static)
        values = jax.tree.map(lambda x: np.moveaxis(x, -1, 1), values)
    return Trace(np.minimum(np.arange(rows + 1) * every, total), values, chains)


def solve(
    model: Model, solver: AbstractSolver | None = None, *, num_sweeps: int | Array = 200,
    evidence: NamedArrays | None = None,
) -> Solution:  # fmt: skip
    """Search for the highest-scoring configuration (MAP, maximum a posteriori), argmax_x score(x) (Section 2.4).

    It works inside `jit` and `vmap`. The derivative of `.score` is the derivative of the score of the states found
    (envelope theorem). The other results have derivative zero.

    Args:
        model: a FactorGraph or anything with .graph().
        solver: by default MaxProduct().
        num_sweeps: the maximum number of sweeps.
        evidence: dict block name -> states or FREE, in the block's shape, or with one leading axis for many problems.

    Returns: a `Solution`. Cost: at most num_sweeps sweeps for each problem.

    Raises: TypeError or ValueError that names the argument; ValueError if the solver does not support the model.
    """
    graph = as_graph(model)
    solver = checks.instance("solver", DEFAULT_SOLVER if solver is None else solver, AbstractSolver, "MaxProduct()")
    total = checks.sweeps(num_sweeps)
    traced = any_traced((graph, solver), evidence, total)
    check_supported(solver, graph, traced)
    known = graph.variables.flat_evidence(evidence)
    rows, on = known.reshape(-1, known.shape[-1]), chosen()[:1]
    some = rows if len(rows) else graph.variables.evidence_rows(None, 1)  # of which none is returned
    search = Unperturbed(solver) if traced else unperturbed(solver)
    chunk = chunks.choose(graph, search, len(some), on)
    task: Any = None, graph, search, some, None, total, len(some), chunk
    if traced:
        found, _, sweeps = run.draw_at_once(*task, on=on, observe=run.concluded)
    else:
        memory.check_samples(len(rows), graph.variables.count)
        parts = batches.draw_parts(*task, on=on, observe=run.concluded, title="solving")
        found, _, sweeps = chunks.join(list(parts), len(some))
        if evidence is not None:
            check_evidence("problem", solver, found.states, rows)
    if known.ndim == 1 or not len(rows):
        found, sweeps = jax.tree.map(lambda x: x[0] if known.ndim == 1 else x[:0], (found, sweeps))
    marginals = None if found.marginals is None else graph.variables.unflatten_marginals(found.marginals)
    return found._replace(states=graph.variables.unflatten(found.states), marginals=marginals, sweeps=sweeps)


def score(model: Model, states: NamedArrays) -> Floats:
    """Return the score -E(x) of configurations of a model, which is log p(x) up to a constant (Section 2.1).

    It works inside `jit` and `vmap` and is differentiable in the parameters of the model.

    Args:
        model: a FactorGraph or anything with .graph().
        states: dict block name -> states (..., *shape), such as `Samples` or `Solution.states`. It contains every block
            and no FREE entry. A block without leading axes is broadcast to the leading axes of the others.

    Returns: (...), in nats; -inf if a constraint is violated; NaN if traced states have an entry that is no state, such
    as FREE. Raises: TypeError or ValueError that names the block.
    """
    graph = as_graph(model)
    flat = graph.variables.flatten_all(states)
    found = run.score(graph, jnp.moveaxis(flat, -1, 0))
    if is_traced(flat):
        found = jnp.where((flat == FREE).any(-1), jnp.nan, found)
    return with_values(found, any_traced((graph,), flat))


def check_supported(part: AbstractSampler | AbstractSolver, graph: FactorGraph, traced: bool) -> None:
    """Raise ValueError if a sampler or a solver does not support the graph, or if it has a number that is not usable.

    Traced numbers are checked for their precision alone, and graphs with traced wiring are not checked for support.
    """
    if not traced:
        _check_once(part, graph)
        return
    parameters.refuse_half_precision(graph)
    with known_structure(graph) as known:
        if known is not None:
            part.check(known)


@identity_cache.by_identity
def _check_once(part: AbstractSampler | AbstractSolver, graph: FactorGraph) -> None:
    """Check a part and a graph that have values; both are immutable, so once is enough."""
    parameters.refuse_unusable(graph)
    part.check(graph)
