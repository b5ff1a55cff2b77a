"""Batches: the samples in chunks, on the cores of a CPU or on several devices, in compiled calls of half a second."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import numpy as np

from . import loops
from .engine import calls, chunks, cores, devices
from .engine.progress import bar
from .engine.signatures import PyTree
from .graph import FactorGraph
from .samplers import AbstractSampler
from .solvers import AbstractSolver

THREADED = 1e-3
"""Seconds, as `calls.least_seconds` counts them, from which on threads gain more time than they cost."""
MOST_ROWS = 256
"""The most rows of a trace that one compiled call returns, if the trace takes several."""

Part = tuple[Any, PyTree, Any]
"""States, chains and sweeps of some chunks, (R, chunk, ...)."""


def draw(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps: int, number: int, chunk: int, on,
    observe: Callable | None = None,
) -> Iterator[Part]:  # fmt: skip
    """Yield the parts of `number` samples in order, with a progress bar; the chunks are drawn in parallel threads.

    Args: those of `loops.draw`, and `observe` of `loops.draw_chunks`.
    """
    previous = type(sampler).prepare(sampler, key, graph, number, previous)  # as in `verbs.check_supported`
    tasks = chunks.rounds(number, chunk, graph.variables.count, on)
    run = _Run(key, graph, sampler, evidence, previous, num_sweeps, tasks[0].shape[1], on, observe)
    work = run.in_few_calls if run.seconds <= calls.LONG or jax.process_count() > 1 else run.in_many_calls
    compiled = not jax.config.jax_disable_jit  # pyright: ignore[reportAttributeAccessIssue]
    worth = compiled and not sampler.on_host and run.seconds * number / chunk >= THREADED
    threads = cores.workers(on) if worth else 1
    if threads > 1 and len(tasks) > 1:
        run.compile_ahead(work, tasks[0])
    with bar(number, "sampling") as shown:
        for parts in cores.side_by_side(work, tasks, threads, shown.update):
            for states, chains, sweeps in parts:
                yield jax.tree.map(np.asarray, states), chains, np.asarray(sweeps)


def solve(graph: FactorGraph, solver: AbstractSolver, evidence, num_sweeps: int) -> tuple:
    """Return the results of `loops.solve`, in many calls and with a progress bar if they take long."""
    seconds = calls.least_seconds(graph, solver, calls.numbers_of(graph), evidence.shape[-1], num_sweeps)
    if seconds <= calls.LONG:
        return loops.solve(graph, solver, evidence, num_sweeps)
    state = loops.begin_solving(graph, solver, evidence)
    advance = partial(loops.advance_solving, graph, solver, evidence)
    with bar(1, "solving") as shown:
        found, _, used = calls.in_spans(advance, state, num_sweeps, seconds, solver.parallel, shown.update)
    return *found[:5], used, *found[6:]


def trace(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps: int, every: int, *, number: int,
    observe: Callable,
) -> tuple[PyTree, PyTree]:  # fmt: skip
    """Return the rows and the chains of `loops.trace`, in many calls and with a progress bar if they take long."""
    rows = -(-num_sweeps // every)
    size = chunks.bytes_of_one(graph, sampler) // 4
    seconds = calls.least_seconds(graph, sampler, size, number, num_sweeps)
    static = {"number": number, "observe": observe, "buffer": loops.buffer_of(rows), "go_on": False}
    if seconds <= calls.LONG:
        run = partial(loops.trace, key, graph, sampler, evidence, previous)
        values, chains, _ = run(None, calls.span(0, num_sweeps, num_sweeps), every, **static)
        return jax.tree.map(lambda x: np.asarray(x)[: rows + 1], values), chains
    static |= {"buffer": min(static["buffer"], MOST_ROWS), "go_on": True}
    pace, first, state, parts = calls.Pace(seconds / num_sweeps), 0, None, []
    with bar(num_sweeps, "sampling") as shown:
        while first < num_sweeps:
            until = min(num_sweeps, first + pace.units, (first // every + static["buffer"]) * every)
            run = partial(loops.trace, key, graph, sampler, evidence, previous if state is None else None, **static)
            values, chains, state = pace.timed(until - first, run, state, calls.span(first, until, num_sweeps), every)
            begun, end = first // every, -(-until // every)
            whole = end if until == num_sweeps else until // every  # a row that is not complete comes again
            rows_here = slice(0 if first == 0 else 1, whole - begun + 1)
            parts.append(jax.tree.map(lambda x: np.asarray(x)[rows_here], values))  # noqa: B023
            shown.update(until - first)
            first = until
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts), chains


class _Run:
    """The compiled programs of one call of `draw`, and what all its chunks share."""

    def __init__(self, key, graph, sampler, evidence, previous, num_sweeps, chunk: int, on, observe):
        self.shared = devices.placed((key, graph, sampler), on)
        self.evidence, self.previous, self.num_sweeps, self.on = evidence, previous, num_sweeps, on
        self.parallel = sampler.parallel
        self.seconds = calls.least_seconds(graph, sampler, chunks.bytes_of_one(graph, sampler) // 4, chunk, num_sweeps)
        programs = loops.programs(wide=graph.gathers and chunk >= chunks.LANES and on[0].platform == "cpu")
        self.draw = partial(programs.draw, on=on, observe=observe)
        self.begin = partial(programs.begin, on=on)
        self.advance = partial(programs.advance, on=on, observe=observe)

    def of_rows(self, ids: np.ndarray) -> tuple:
        """Return the arguments of a program for these samples, without the last ones."""
        own = ids, chunks.take_evidence(self.evidence, ids), chunks.take(self.previous, ids)
        return *self.shared, *devices.placed(own, self.on)

    def last(self, first: int, count: int) -> tuple:
        """Return the last arguments of `draw`: the number of sweeps, and the rows that are computed."""
        rows = None if len(self.on) > 1 else np.array([first, count], np.int32)
        return devices.placed((np.int32(self.num_sweeps), rows), self.on)

    def in_few_calls(self, ids: np.ndarray, step: Callable[[float], None]) -> list[Part]:
        """Return the parts of the chunks `ids` (R, chunk), as many chunks in a compiled call as take half a second."""
        pace, first, parts = calls.Pace(self.seconds), 0, []
        while first < len(ids):
            # several devices compute their rows at the same time, and several processes have to make the same calls
            count = len(ids) if len(self.on) > 1 else min(pace.units, len(ids) - first)
            part = pace.timed(count, self.draw, *self.of_rows(ids), *self.last(first, count))
            part = devices.gathered(part, self.on)
            some = slice(first, first + count)
            parts.append(part if count == len(ids) else jax.tree.map(lambda x: x[some], part))  # noqa: B023
            step(ids[some].size)
            first += count
        return parts

    def in_many_calls(self, ids: np.ndarray, step: Callable[[float], None]) -> list[Part]:
        """Return the parts of the chunks `ids` (R, chunk), one chunk of each device after the other, in many calls."""
        parts = []
        for first in range(0, len(ids), len(self.on)):
            some = ids[first : first + len(self.on)]
            key, graph, sampler, *own, previous = self.of_rows(some)

            def advance(state, span):
                result, state = self.advance(key, graph, sampler, *own, state, span)  # noqa: B023
                result = devices.gathered(result, self.on)
                return result, np.asarray(result[-1]), state

            state = self.begin(key, graph, sampler, *own, previous)
            report = lambda share: step(share * some.size)  # noqa: B023, E731
            (states, chains, _), _, sweeps = calls.in_spans(
                advance, state, self.num_sweeps, self.seconds, self.parallel, report
            )
            parts.append((states, chains, sweeps))
        return parts

    def compile_ahead(self, work: Callable, ids: np.ndarray) -> None:
        """Compile the programs that `work` runs, in the caller's thread and so with its settings of JAX."""
        # another thread might give a Python number another type, such as float32 in place of float64
        self.shared = jax.tree.map(lambda x: x if isinstance(x, jax.Array) else jax.device_put(x), self.shared)
        if work == self.in_few_calls:
            self.draw = calls.ahead(self.draw, *self.of_rows(ids), *self.last(0, 1))
            return
        *arguments, previous = self.of_rows(ids[: len(self.on)])
        state = jax.eval_shape(partial(loops.begin_chunks, on=self.on), *arguments, previous)
        self.begin = calls.ahead(self.begin, *arguments, previous)
        self.advance = calls.ahead(self.advance, *arguments, state, calls.span(0, 1, 1))
