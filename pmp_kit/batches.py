"""Batches: the chunks of all samples, on the cores of a CPU or on several devices, in calls of half a second."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import numpy as np

from . import run
from .engine import calls, chunks, devices, identity_cache, threads
from .engine.progress import bar
from .engine.signatures import PyTree
from .graph import FactorGraph
from .samplers import AbstractSampler

THREADED = 1e-3
"""Seconds, as `calls.least_seconds` counts them, from which on threads gain more time than they cost."""
MOST_ROWS = 256
"""The most rows of a trace that one compiled call returns, if the trace takes several."""

Part = tuple[Any, PyTree, Any]
"""States, chains and sweeps of some chunks, arrays (R, chunk, ...)."""


def draw_parts(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps: int, number: int, chunk: int, on,
    observe: Callable | None = None, title: str = "sampling",
) -> Iterator[Part]:  # fmt: skip
    """Yield the parts of `number` samples in order, with a progress bar; parallel threads compute them.

    Args: those of `run.draw_at_once`, and the title of the progress bar.
    """
    previous = type(sampler).prepare(sampler, key, graph, number, previous)  # binding takes Equinox 50 us
    seconds = calls.least_seconds(graph, sampler, chunk, num_sweeps)
    in_spans = seconds > calls.LONG and jax.process_count() == 1  # several processes have to make the same calls
    most = 1 if in_spans else max(1, int(2 * calls.LONG / max(seconds, 1e-9)))
    tasks = chunks.calls(number, chunk, graph.variables.count, on, most)
    wide = graph.is_sparse and tasks[0].shape[1] >= chunks.LANES and on[0].platform == "cpu"
    task = _Calls(key, graph, sampler, evidence, previous, num_sweeps, on, seconds, run.chunk_program(wide), observe)
    work = task.in_spans if in_spans else task.at_once
    worth = sampler.workload != "host" and seconds * number / chunk >= THREADED
    number_of_threads = threads.workers(on) if worth and not jax.config.jax_disable_jit else 1  # pyright: ignore
    if number_of_threads > 1 and len(tasks) > 1:
        task.compile_ahead(work, tasks[0])
    with bar(number, title) as shown:
        for part in threads.side_by_side(work, tasks, number_of_threads, shown.update):
            yield jax.tree.map(_in_numpy, part)


def trace_in_calls(
    key, graph: FactorGraph, sampler: AbstractSampler, evidence, previous, num_sweeps: int, every: int, *, number: int,
    observe: Callable,
) -> tuple[PyTree, PyTree]:  # fmt: skip
    """Return the rows and the chains of `run.trace_rows`, in many calls and with a progress bar if they take long."""
    rows = -(-num_sweeps // every)
    seconds = calls.least_seconds(graph, sampler, number, num_sweeps)
    long = seconds > calls.LONG
    room = run.buffer_of(rows)
    static = {"number": number, "observe": observe, "buffer": min(room, MOST_ROWS) if long else room, "go_on": long}
    compute = partial(run.trace_rows, key, graph, sampler, evidence, **static)
    if not long:
        values, chains, _ = compute(previous, None, *calls.int32(0, num_sweeps, every))
        return jax.tree.map(lambda x: np.asarray(x)[: rows + 1], values), chains
    pace, first, state, parts = calls.Pace(seconds / num_sweeps), 0, None, []
    with bar(num_sweeps, "sampling") as shown:
        while first < num_sweeps:
            until = min(num_sweeps, first + pace.units, (first // every + static["buffer"]) * every)
            span = calls.int32(first, until, every)
            values, chains, state = pace.timed(until - first, compute, previous if first == 0 else None, state, *span)
            begun, end = first // every, -(-until // every)
            whole = end if until == num_sweeps else until // every  # a row that is not complete comes again
            rows_here = slice(0 if first == 0 else 1, whole - begun + 1)
            parts.append(jax.tree.map(lambda x: np.asarray(x)[rows_here], values))  # noqa: B023
            shown.update(until - first)
            first = until
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts), chains


class _Calls:
    """What all compiled calls of one `draw_parts` share: the arrays, placed on the devices once, and the program."""

    def __init__(self, key, graph, sampler, evidence, previous, num_sweeps: int, on, seconds, program, observe):
        self.shared = devices.placed((key, graph, sampler), on)
        self.evidence, self.previous, self.num_sweeps = evidence, previous, num_sweeps
        self.on, self.seconds, self.workload = on, seconds, sampler.workload
        self.draw = partial(program, on=on, observe=observe)
        self.begin = partial(program, on=on, keep_state=True)
        self.advance = partial(program, on=on, observe=observe, keep_state=True)

    def of_samples(self, ids: np.ndarray) -> tuple:
        """Return the ids, the evidence and the previous state of these samples, placed on the devices."""
        arrays = ids, chunks.take_evidence(self.evidence, ids), chunks.take(self.previous, ids)
        return devices.placed(arrays, self.on)

    def at_once(self, ids: np.ndarray, step: Callable[[float], None]) -> Part:
        """Return the part of the chunks `ids` (R, chunk) from one compiled call."""
        part, _ = jax.block_until_ready(self.draw(*self.shared, *self.of_samples(ids), *self.counts(self.num_sweeps)))
        step(ids.size)
        return devices.gathered(part, self.on)

    def in_spans(self, ids: np.ndarray, step: Callable[[float], None]) -> Part:
        """Return the same from many calls of some sweeps each."""
        ids, evidence, previous = self.of_samples(ids)

        def advance(state, first, until):
            result, state = self.advance(*self.shared, ids, evidence, None, *self.counts(until, first), state)
            result = devices.gathered(result, self.on)
            return result, np.asarray(result[-1]), state

        _, state = self.begin(*self.shared, ids, evidence, previous)
        report = lambda share: step(share * ids.size)  # noqa: E731
        (states, chains, _), sweeps = calls.in_spans(
            advance, state, self.num_sweeps, self.seconds, self.workload, report
        )
        return states, chains, sweeps

    def counts(self, *sweeps: int) -> tuple:
        """Return numbers of sweeps, placed on the devices."""
        return devices.placed(calls.int32(*sweeps), self.on)

    def compile_ahead(self, work: Callable, ids: np.ndarray) -> None:
        """Compile the programs that `work` runs, in the caller's thread and so with its settings of JAX."""
        key, graph, sampler = self.shared
        x64 = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
        self.shared = key, _arrays(graph, x64=x64), _arrays(sampler, x64=x64)
        arguments = self.of_samples(ids)
        if work == self.at_once:
            self.draw = calls.ahead(self.draw, *self.shared, *arguments, *self.counts(0))
            return
        _, state = self.begin.func.eval_shape(*self.shared, *arguments, **self.begin.keywords)
        self.begin = calls.ahead(self.begin, *self.shared, *arguments)
        self.advance = calls.ahead(self.advance, *self.shared, *arguments[:2], None, *self.counts(1, 0), state)


@identity_cache.by_identity
def _arrays(part: Any, *, x64: bool) -> Any:
    """Return a graph or a sampler with arrays in place of Python numbers, to which another thread might give a type."""
    return jax.tree.map(lambda leaf: leaf if isinstance(leaf, jax.Array) else jax.device_put(leaf), part)


def _in_numpy(leaf):
    """Return an array in NumPy, where joining and slicing compile nothing; JAX keys stay as they are."""
    return leaf if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key) else np.asarray(leaf)
