"""The functions sample, stream, trace, solve and score: they check arguments, and name the blocks in the results.

`batches.py` divides the samples into chunks, and `run.py` computes a chunk. Inside `jit`, `vmap` and `grad` one
compiled call computes all chunks, and the results are JAX arrays. Checks of values, progress bars and threads are left
out there.
"""

from collections.abc import Callable, Iterator
from typing import Any

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
from .run import Task
from .samplers import PMP, AbstractSampler, View, observe
from .samplers.base import check_evidence, check_previous
from .samplers.perturb_and_map import Unperturbed, unperturbed
from .search.within import search_each
from .solvers import AbstractSolver, MaxProduct
from .solvers.host import rounded_up
from .solvers.ties import without_ties

NUM_SWEEPS = 200
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
    especially those whose search has not converged. Gradients do not flow through samples.

    Args:
        key: a JAX key such as jax.random.key(0).
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP().
        num_samples: the number of samples.
        num_sweeps: the number of sweeps for each sample. Samplers with a stopping criterion may use fewer. Use 0 for
            samplers without sweeps, such as ForwardBackward(); other samplers then return their initial state.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).
        previous: the `.chains` of an earlier call with the same num_samples, to continue Markov chains. Each such call
            needs a new key: the same key repeats the random numbers, which biases the samples.
        chunk: the number of samples that are computed at once; by default as many as fit in the cache of
            a CPU core, or in 512 MB on a GPU.
        devices: the JAX devices to use, such as jax.devices()[:2]; by default all, or that of jax.default_device.

    Returns: `Samples`. Cost: num_samples * num_sweeps sweeps. Raises: TypeError or ValueError that names the argument,
    also if the samples do not fit in memory.
    """
    task, traced = _task_of(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices)
    if traced:
        states, chains, sweeps = run.draw_at_once(task)
    else:
        memory.check_samples(task.num_samples, task.graph.variables.count)
        states, chains, sweeps = chunks.join(list(_checked_parts(task, evidence)), task.num_samples)
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

    Returns: an iterator of `Samples`. A part has at most 64 MB, not counting its `.chains`, but at least one chunk for
    each device. Cost: that of `sample`. Each CPU core keeps one part in memory, and two more wait for you. Raises:
    TypeError or ValueError that names the argument, before the first part is drawn.
    """
    task, traced = _task_of(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices)
    if traced:
        raise TypeError("stream: expected arrays with values, got traced ones; use sample inside jit and vmap")
    return _named_parts(task, evidence)


def _task_of(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk, devices) -> tuple[Task, bool]:
    """Return the checked arguments, with defaults instead of None, and whether some of them are traced."""
    key, graph = checks.key(key), as_graph(model)
    sampler = checks.instance("sampler", DEFAULT_SAMPLER if sampler is None else sampler, AbstractSampler, "PMP()")
    num_samples, num_sweeps = checks.count("num_samples", num_samples), checks.sweeps(num_sweeps)
    devices = chosen(devices)
    traced = any_traced((graph, sampler), key, evidence, previous, num_sweeps)
    check_supported(sampler, graph, traced)
    check_previous(previous, sampler, num_samples)
    rows = graph.variables.evidence_rows(evidence, num_samples)
    devices = devices[:1] if traced else devices  # inside jit, one device computes all chunks
    if chunk is None:
        chunk = chunks.choose(graph, sampler, num_samples, devices)
    chunk = checks.count("chunk", chunk)
    return Task(key, graph, sampler, rows, previous, num_sweeps, num_samples, chunk, devices), traced


def _checked_parts(task: Task, evidence: NamedArrays | None) -> Iterator[batches.Part]:
    """Yield states, chains and sweeps of some chunks in order, after they are compared with the evidence."""
    first_sample = 0
    for part in batches.draw_parts(task):
        states, _, sweeps = part
        if evidence is not None:
            check_evidence("sample", task.sampler, states, task.evidence, first_sample)
        yield part
        first_sample += sweeps.size


def _named_parts(task: Task, evidence: NamedArrays | None) -> Iterator[Samples]:
    """Yield the parts as `Samples`. The last chunk is filled with repeated samples, which are left out."""
    samples_left = task.num_samples
    for part in _checked_parts(task, evidence):
        states, chains, sweeps = chunks.join([part], min(samples_left, part[-1].size))
        samples_left -= len(sweeps)
        yield Samples(task.graph.variables.unflatten(states), chains, sweeps)


def trace(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, num_sweeps: int,
    observe: Callable[[View], PyTree] = observe.states, every: int = 1, num_samples: int = 1,
    evidence: NamedArrays | None = None, previous: PyTree = None,
) -> Trace:  # fmt: skip
    """Sample, and record the values of `observe` before the first sweep, after every `every` sweeps and at the end.

    All samples are computed at once, in memory, and finished samples do not change. Other values of num_sweeps and
    `every` compile again only if the number of rows exceeds the next power of two. Arguments that are not listed are
    those of `sample`. A call with `previous` needs a new key.

    Args:
        observe: a function of a `View` such as pk.observe.beliefs, whose arrays have the samples on the last axis. Each
            new function object compiles again.
        every: the number of sweeps between two rows.

    Returns: a `Trace`. Cost: that of `sample`, and one call of `observe` for each row.

    Raises: TypeError or ValueError that names the argument, also if the rows do not fit in memory.
    """
    if not callable(observe):
        raise TypeError(f"observe: expected a function such as pk.observe.beliefs, got {checks.describe(observe)}")
    num_sweeps, every = checks.count("num_sweeps", num_sweeps, minimum=0), checks.count("every", every)
    task, traced = _task_of(key, model, sampler, num_samples, num_sweeps, evidence, previous, chunk=1, devices=None)
    num_rows = -(-num_sweeps // every)
    static = {"num_samples": task.num_samples, "observe": observe, "room": run.room_of(num_rows)}
    need = memory.bytes_of(run.shortest_trace, task.graph, task.sampler, **static)
    memory.check_trace(need, num_rows, task.num_samples)
    if traced:
        arrays = jax.lax.stop_gradient((task.graph, task.sampler, task.evidence, task.previous))
        values, chains, _ = run.trace_rows(task.key, *arrays, None, 0, num_sweeps, every, **static)
        values = jax.tree.map(lambda x: jnp.moveaxis(x[: num_rows + 1], -1, 1), values)
    else:
        values, chains = batches.trace(task, observe, every)
        values = jax.tree.map(lambda x: np.moveaxis(x, -1, 1), values)
    return Trace(np.minimum(np.arange(num_rows + 1) * every, num_sweeps), values, chains)


def solve(
    model: Model, solver: AbstractSolver | None = None, *, num_sweeps: int | Array = NUM_SWEEPS,
    evidence: NamedArrays | None = None, budget: float | None = None,
) -> Solution:  # fmt: skip
    """Search for the highest-scoring configuration (MAP, maximum a posteriori), argmax_x score(x) (Section 2.4).

    With a `budget` of seconds in place of a solver, it is found by exact elimination of variables, a minimum cut, or
    the best of several searches on the host: message passing with decimation, elimination given some variables,
    annealing, and a bound of pairwise models. The search ends at a proof, at the end of the budget, or with Ctrl-C,
    which returns the best configuration so far (KeyboardInterrupt if none of those found is possible).

    It works inside `jit` and `vmap`. The derivative of `.score` is the derivative of the score of the states found
    (envelope theorem). The other results have derivative zero.

    Args:
        model: a FactorGraph or anything with .graph().
        solver: by default MaxProduct().
        num_sweeps: the maximum number of sweeps.
        evidence: dict block name -> states or FREE, in the block's shape, or with one leading axis for many problems.
        budget: seconds of search without a solver, at least 0.001, outside of `jit`. Several problems share it, one
            after another. It counts compilation, and may be exceeded by a second and one compilation. Then `found_by`
            and `proved` of the result say what found the states and whether they are proved to be best; `converged` is
            `proved`, and `sweeps` is 0.

    Returns: a `Solution`. Cost: at most num_sweeps sweeps for each problem, or the budget.

    Raises: TypeError or ValueError that names the argument; ValueError if the solver does not support the model.
    """
    if budget is not None:
        return _solve_within(model, solver, num_sweeps, evidence, budget)
    graph = as_graph(model)
    solver = checks.instance("solver", DEFAULT_SOLVER if solver is None else solver, AbstractSolver, "MaxProduct()")
    num_sweeps = checks.sweeps(num_sweeps)
    traced = any_traced((graph, solver), evidence, num_sweeps)
    check_supported(solver, graph, traced)
    flat, devices = graph.variables.flat_evidence(evidence), chosen()[:1]
    problems = _problems(graph, flat)
    search = Unperturbed(without_ties(solver)) if traced else unperturbed(solver)
    chunk = chunks.choose(graph, search, len(problems), devices)
    no_key, number = None, len(problems)
    task = Task(no_key, graph, search, problems, None, num_sweeps, number, chunk, devices, run.solution)
    if traced:
        found, _, sweeps = run.draw_at_once(task)
    else:
        memory.check_samples(number, graph.variables.count)
        found, sweeps = _solved(task, solver)
        if evidence is not None:
            check_evidence("problem", solver, found.states, problems)
    found = _of_problems(found._replace(sweeps=sweeps), flat)
    marginals = None if found.marginals is None else graph.variables.unflatten_marginals(found.marginals)
    return found._replace(states=graph.variables.unflatten(found.states), marginals=marginals)


def _solved(task: Task, solver: AbstractSolver) -> tuple[Any, Any]:
    """Return what a solver finds and its sweeps. If max-product converges to ties, it is run again without them.

    The program that breaks ties takes longer to compile, so models without ties do not compile it. Beliefs of
    frustrated loops that have not converged tie as well, but not because states can be exchanged.
    """
    breaking = without_ties(solver)
    if breaking is not solver:
        (found, ties), _, sweeps = batches.draw(task._replace(answer=run.solution_and_ties), title="solving")
        tied = ties[found.converged].any(0)
        if not (tied.any() and _joined(task.graph, tied)):
            return found, sweeps
    found, _, sweeps = batches.draw(task._replace(sampler=unperturbed(breaking)), title="solving")
    return found, sweeps


def _joined(graph: FactorGraph, marked: np.ndarray) -> bool:
    """Return whether a factor joins a marked variable (n,); one without factors may be in any of its best states."""
    return any(marked[ids].any() for factor in graph.factors for ids in factor.scopes)


def _solve_within(model, solver, num_sweeps, evidence, budget) -> Solution:
    """Return the best configurations that a search within some seconds finds; see `solve`."""
    if solver is not None or num_sweeps is not NUM_SWEEPS:
        raise ValueError(
            f"budget: expected no solver and no num_sweeps beside it, got budget={budget}; leave them out, or leave "
            "out the budget and limit the solver by num_sweeps"
        )
    graph = as_graph(model)
    if any_traced((graph,), evidence, budget):
        raise TypeError("budget: expected a call outside jit, vmap and grad, got traced arguments; name a solver there")
    seconds = checks.number("budget", budget, 1e-3)
    _check_once(DEFAULT_SOLVER, graph)
    flat = graph.variables.flat_evidence(evidence)
    found = search_each(graph, _problems(graph, flat), seconds)
    states = np.stack([one.states for one in found])
    scores = np.asarray(run.score(graph, states.T))
    proved, possible = np.array([one.proved for one in found]), scores > -np.inf
    bound = np.where(proved, scores, rounded_up(np.array([one.bound for one in found]), scores.dtype))
    names = np.array([one.found_by for one in found])
    solution = Solution(
        graph.variables.unflatten(states), scores, None if np.isposinf(bound).all() else np.maximum(bound, scores),
        None, proved & possible, np.zeros(len(found), np.int32), None, possible, names, proved,
    )  # fmt: skip
    solution = _of_problems(solution, flat)
    return solution._replace(found_by=str(solution.found_by)) if flat.ndim == 1 else solution


def _problems(graph: FactorGraph, flat) -> Any:
    """Return flat evidence, (n,) or (N, n), as rows. If there are none, one is solved for the shapes of the results."""
    rows = flat.reshape(-1, flat.shape[-1])
    return rows if len(rows) else graph.variables.evidence_rows(None, 1)


def _of_problems(found: Any, flat) -> Any:
    """Return arrays of all rows without their first axis if the evidence had none, and without rows if it had none."""
    if flat.ndim == 1:
        return jax.tree.map(lambda x: x[0], found)
    return found if len(flat) else jax.tree.map(lambda x: x[:0], found)


def score(model: Model, states: NamedArrays) -> Floats:
    """Return the score -E(x) of configurations of a model, which is log p(x) up to a constant (Section 2.1).

    It works inside `jit` and `vmap` and is differentiable in the parameters of the model.

    Args:
        model: a FactorGraph or anything with .graph().
        states: dict block name -> states (..., *shape), such as `Samples` or `Solution.states`. It contains every block
            and no FREE entry. A block without leading axes is broadcast to the leading axes of the others.

    Returns: (...), in nats; -inf if a constraint is violated; NaN if traced states have an entry that is not a state,
    such as FREE. Raises: TypeError or ValueError that names the block.
    """
    graph = as_graph(model)
    flat = graph.variables.flatten_all(states)
    found = run.score(graph, jnp.moveaxis(flat, -1, 0))
    if is_traced(flat):
        found = jnp.where((flat == FREE).any(-1), jnp.nan, found)
    return with_values(found, any_traced((graph,), flat))


def check_supported(algorithm: AbstractSampler | AbstractSolver, graph: FactorGraph, traced: bool) -> None:
    """Raise ValueError if a sampler or a solver does not support the graph, or if a parameter of it is not usable.

    Of traced parameters only the precision is checked. If the wiring is traced, support is not checked.
    """
    if not traced:
        _check_once(algorithm, graph)
        return
    parameters.refuse_half_precision(graph)
    with known_structure(graph) as graph_with_values:
        if graph_with_values is not None:
            algorithm.check(graph_with_values)


@identity_cache.by_identity
def _check_once(algorithm: AbstractSampler | AbstractSolver, graph: FactorGraph) -> None:
    """Check an algorithm and a graph that have values; both are immutable, so once is enough."""
    parameters.refuse_unusable(graph)
    algorithm.check(graph)
