"""The chunks of all samples, on the cores of a CPU or on several devices, in calls of about half a second."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import numpy as np

from . import run
from .engine import calls, chunks, devices, identity_cache, threads
from .engine.progress import bar
from .engine.signatures import PyTree
from .run import Task

THREADED = 1e-3
"""Seconds, as `calls.least_seconds` counts them, of all chunks. With less work, threads cost more than they gain."""
MOST_ROWS = 256
"""The most rows of a trace that one compiled call returns, if the trace takes several."""

Part = tuple[Any, PyTree, Any]
"""States, chains and sweeps of some chunks, arrays (R, chunk, ...)."""


def draw(task: Task, title: str = "sampling") -> tuple[Any, PyTree, Any]:
    """Return states (num_samples, n), chains and the sweeps of each sample, in NumPy.

    Args: title: the name of the progress bar.
    """
    return chunks.join(list(draw_parts(task, title)), task.num_samples)


def draw_parts(task: Task, title: str = "sampling") -> Iterator[Part]:
    """Yield the parts of all samples in order, with a progress bar; parallel threads compute them."""
    prepare = type(task.sampler).prepare  # binding the method to the sampler takes Equinox 50 us
    prepared = prepare(task.sampler, task.key, task.graph, task.num_samples, task.previous)
    task = task._replace(previous=prepared)
    seconds = calls.least_seconds(task.graph, task.sampler, task.chunk, task.num_sweeps)
    several_calls = seconds > calls.LONG and jax.process_count() == 1  # several processes have to make the same calls
    # `seconds` is a lower limit, and a chunk may take up to a hundred times as long. So far less is planned here than
    # the half second that a call may take.
    chunks_a_call = 1 if several_calls else max(1, int(2 * calls.LONG / max(seconds, 1e-9)))
    ids = chunks.ids_of_calls(task.num_samples, task.chunk, task.graph.variables.count, task.devices, chunks_a_call)
    program = _Program(task, seconds, wide=_prefers_wide_vectors(task, ids[0].shape[1]))
    compute = program.in_several_calls if several_calls else program.in_one_call
    gains_by_threads = task.sampler.workload != "host" and seconds * task.num_samples / task.chunk >= THREADED
    disabled = jax.config.jax_disable_jit  # pyright: ignore[reportAttributeAccessIssue]
    num_threads = threads.workers(task.devices) if gains_by_threads and not disabled else 1
    if num_threads > 1 and len(ids) > 1:
        program.compile_ahead(ids[0], several_calls)
    with bar(task.num_samples, title) as progress:
        for part in threads.side_by_side(compute, ids, num_threads, progress.update):
            yield jax.tree.map(_in_numpy, part)


def _prefers_wide_vectors(task: Task, chunk: int) -> bool:
    """Return whether the options `run.WIDE` make sweeps of this size faster."""
    return task.graph.is_sparse and chunk >= chunks.LANES and task.devices[0].platform == "cpu"


class _Program:
    """The compiled `draw_chunks` with what all its calls share: the graph and the sampler, placed on the devices once.

    Args:
        seconds: a lower limit of the time of one chunk.
        wide: whether it is compiled with `run.WIDE`.
    """

    def __init__(self, task: Task, seconds: float, wide: bool):
        self.task, self.seconds, self.devices = task, seconds, task.devices
        self.key, self.graph, self.sampler = devices.placed((task.key, task.graph, task.sampler), task.devices)
        draw_chunks = run.compiled_draw_chunks(wide)
        self.draw = partial(draw_chunks, devices=task.devices, answer=task.answer)
        self.begin = partial(draw_chunks, devices=task.devices, keep_state=True)
        self.go_on = partial(draw_chunks, devices=task.devices, answer=task.answer, keep_state=True)

    def in_one_call(self, ids: np.ndarray, report: Callable[[float], None]) -> Part:
        """Return the part of the chunks `ids` (R, chunk) from one compiled call."""
        ids_there, evidence, previous = self.arrays_of(ids)
        (end_sweep,) = self.numbers(self.task.num_sweeps)
        part, _ = self.draw(self.key, self.graph, self.sampler, ids_there, evidence, previous, end_sweep)
        jax.block_until_ready(part)
        report(ids.size)
        return devices.gathered(part, self.devices)

    def in_several_calls(self, ids: np.ndarray, report: Callable[[float], None]) -> Part:
        """Return the same part from several calls, of some sweeps each."""
        ids_there, evidence, previous = self.arrays_of(ids)

        def make_sweeps(state, start_sweep, end_sweep):
            end_and_start = self.numbers(end_sweep, start_sweep)
            part, state = self.go_on(
                self.key, self.graph, self.sampler, ids_there, evidence, None, *end_and_start, state
            )
            part = devices.gathered(part, self.devices)
            return part, np.asarray(part[-1]), state

        _, state = self.begin(self.key, self.graph, self.sampler, ids_there, evidence, previous)
        (states, chains, _), sweeps = calls.in_spans(
            make_sweeps, state, self.task.num_sweeps, self.seconds, self.sampler.workload,
            lambda share: report(share * ids.size),
        )  # fmt: skip
        return states, chains, sweeps

    def arrays_of(self, ids: np.ndarray) -> tuple[Any, Any, PyTree]:
        """Return the ids, the evidence and the previous state of these samples, placed on the devices."""
        evidence = chunks.take_evidence(self.task.evidence, ids)
        return devices.placed((ids, evidence, chunks.take(self.task.previous, ids)), self.devices)

    def numbers(self, *sweeps: int) -> tuple:
        """Return numbers of sweeps, placed on the devices."""
        return devices.placed(calls.int32(*sweeps), self.devices)

    def compile_ahead(self, ids: np.ndarray, several_calls: bool) -> None:
        """Compile for chunks like `ids`, in the caller's thread: in others, JAX's settings can be different."""
        x64 = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
        self.graph, self.sampler = _with_arrays(self.graph, x64=x64), _with_arrays(self.sampler, x64=x64)
        shared, (ids, evidence, previous) = (self.key, self.graph, self.sampler), self.arrays_of(ids)
        if not several_calls:
            self.draw = calls.ahead(self.draw, *shared, ids, evidence, previous, *self.numbers(0))
            return
        _, state = self.begin.func.eval_shape(*shared, ids, evidence, previous, **self.begin.keywords)
        self.begin = calls.ahead(self.begin, *shared, ids, evidence, previous)
        self.go_on = calls.ahead(self.go_on, *shared, ids, evidence, None, *self.numbers(1, 0), state)


@identity_cache.by_identity
def _with_arrays(module: Any, *, x64: bool) -> Any:
    """Return a graph or a sampler with arrays in place of Python numbers, whose type depends on a thread's settings."""
    return jax.tree.map(lambda leaf: leaf if isinstance(leaf, jax.Array) else jax.device_put(leaf), module)


def _in_numpy(leaf):
    """Return an array in NumPy, where joining and slicing compile nothing; JAX keys stay as they are."""
    return leaf if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key) else np.asarray(leaf)


def trace(task: Task, observe: Callable, every: int) -> tuple[PyTree, PyTree]:
    """Return the rows and the chains of `run.trace_rows`, in several calls and with a bar if they take long."""
    num_sweeps, num_rows = task.num_sweeps, -(-task.num_sweeps // every)
    seconds = calls.least_seconds(task.graph, task.sampler, task.num_samples, num_sweeps)
    several_calls = seconds > calls.LONG
    room = min(run.room_of(num_rows), MOST_ROWS) if several_calls else run.room_of(num_rows)
    static = {"num_samples": task.num_samples, "observe": observe, "room": room, "keep_state": several_calls}
    compute = partial(run.trace_rows, task.key, task.graph, task.sampler, task.evidence, **static)
    if not several_calls:
        rows, chains, _ = compute(task.previous, None, *calls.int32(0, num_sweeps, every))
        return jax.tree.map(lambda x: np.asarray(x)[: num_rows + 1], rows), chains
    pace, start, state, chains, parts = calls.Pace(seconds / num_sweeps), 0, None, None, []
    with bar(num_sweeps, "sampling") as progress:
        while start < num_sweeps:
            end = min(num_sweeps, start + pace.units, (start // every + room) * every)
            previous = task.previous if start == 0 else None
            rows, chains, state = pace.timed(end - start, compute, previous, state, *calls.int32(start, end, every))
            # a last row between two multiples of `every` is left out: the next call computes it, with more sweeps
            last_row = -(-end // every) if end == num_sweeps else end // every
            new_rows = slice(0 if start == 0 else 1, last_row - start // every + 1)
            parts.append(jax.tree.map(lambda x: np.asarray(x)[new_rows], rows))  # noqa: B023
            progress.update(end - start)
            start = end
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts), chains
