"""Chunks: how many samples are worked on at once, so that they stay in the processor's cache and in memory."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from . import validate
from .devices import Devices, chosen

CACHE_BUDGET = 2**22
"""Bytes of sampler state in work at once on a CPU: about its second-level cache, 4 MB."""
DEVICE_BUDGET = 2**29
"""The same on a GPU or TPU, which is busy only with many samples: 512 MB."""
ALONE = 48 * 2**10
"""Bytes of state, the first-level cache, from which on a sample that a CPU sweeps in parallel is best worked on alone.

A few such samples side by side take up to three times as long: their numbers no longer stand in long rows."""
MOST_SAMPLES = 256
"""The most samples in a chunk on a CPU."""
MOST_IN_PARALLEL = 64
"""The same where all messages go out together."""
LANES = 16
"""Numbers that a CPU works on at a time: a chunk of 20 samples, four of them alone, takes longer than two of 16."""
CHUNKS_A_ROUND = 16
"""Most chunks in one compiled call: between calls progress is shown and Ctrl-C is heard."""


def choose(graph, sampler, num_samples: int, devices: Devices | None = None) -> int:
    """Samples in a chunk, from the bytes of one sample's state and the devices, by default all."""
    used = chosen(devices)
    state = jax.eval_shape(state_of_one, graph, sampler)
    size = max(1, sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state)))
    on_cpu, number = used[0].platform == "cpu", len(used)
    if on_cpu and sampler.parallel:
        return 1 if size >= ALONE else in_lanes(num_samples, workers(used) * number)
    largest = min(MOST_SAMPLES, CACHE_BUDGET // size) if on_cpu else DEVICE_BUDGET // size
    side = min(workers(used), -(-num_samples // LANES)) if sampler.shared_out else 1
    return even(num_samples, max(1, min(largest, -(-num_samples // (side * number)))))


@jax.jit
def state_of_one(graph, sampler):
    """What a sampler keeps for one sample; compiled by nobody: JAX remembers the shapes, which take 2 ms to find."""
    unaries = jnp.zeros((graph.variables.num_planes, graph.variables.count, 1), graph.unaries.dtype)
    return sampler.init(jax.random.split(jax.random.key(0), 1), graph, unaries, None)


def even(total: int, largest: int) -> int:
    """The size of equal parts, none above `largest`, that waste least."""
    return -(-total // -(-total // largest))


def in_lanes(total: int, side: int) -> int:
    """The size of equal parts for `side` workers, none above MOST_IN_PARALLEL, in whole lanes where there are more."""
    parts = max(-(-total // MOST_IN_PARALLEL), min(side, -(-total // LANES)))
    return min(total, -(-total // (parts * LANES)) * LANES)


def rounds(num_samples: int, chunk: int, devices: Devices | None = None) -> list[np.ndarray]:
    """Sample numbers of each compiled call, (R, chunk) each; those past the end compute the last sample again."""
    chunk = min(validate.count("chunk", chunk), num_samples)
    used = chosen(devices)
    chunks, side = -(-num_samples // chunk), workers(used)
    turns = -(-chunks // (CHUNKS_A_ROUND * side * len(used)))
    per_round = -(-chunks // min(turns * side, chunks))
    per_round = -(-per_round // len(used)) * len(used)
    return list(padded(num_samples, per_round * chunk).reshape(-1, per_round, chunk))


def workers(devices: Devices | None = None) -> int:
    """Rounds that run side by side: one for each core of a CPU, where XLA itself rarely keeps more than one busy."""
    used = chosen(devices)
    if used[0].platform != "cpu" or len(used) > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(work: Callable, tasks: list, side: int) -> Iterator:
    """work(task) of every task, in order: one after the other, or, with `side` above 1 and threads, several at once."""
    one_at_a_time = threading.Lock()

    def finished(task):
        with one_at_a_time:  # tracing and compiling; the computation itself then runs on its own
            result = work(task)
        return jax.block_until_ready(result)

    pool = threads() if side > 1 and len(tasks) > 1 else None
    yield from (pool.map if pool else map)(finished, tasks)


@cache
def threads() -> ThreadPoolExecutor | None:
    """Threads for all cores, or None where the system cannot start them (in a browser, or at a limit of processes).

    They are kept, because a new thread costs JAX half a millisecond. All start here, so that none can fail later.
    """
    pool, all_started = ThreadPoolExecutor(workers(), thread_name_prefix="pmp_kit"), threading.Event()
    try:
        for _ in range(workers()):
            pool.submit(all_started.wait)
    except RuntimeError:  # can't start new thread
        pool.shutdown(wait=False, cancel_futures=True)
        return None
    finally:
        all_started.set()
    return pool


def padded(num_samples: int, size: int) -> np.ndarray:
    """Sample numbers, the last repeated until their count is a multiple of `size`."""
    return np.minimum(np.arange(-(-num_samples // size) * size, dtype=np.int32), num_samples - 1)


def take(tree, ids: np.ndarray):
    """The samples `ids` (R, chunk) of arrays (num_samples, ...): (R, chunk, ...)."""
    return jax.tree.map(lambda x: x[ids], tree)


def join(parts: list, num_samples: int):
    """Undo `take`: one tree of arrays (num_samples, ...) from one tree for each round."""

    def merge(*leaves):
        xp = np if isinstance(leaves[0], np.ndarray) else jnp  # NumPy is quicker for small ones
        return xp.concatenate([leaf.reshape(-1, *leaf.shape[2:]) for leaf in leaves])[:num_samples]

    return jax.tree.map(merge, *parts)


def samples_last(tree):
    """Arrays (num_samples, ...), as they are kept from call to call, in the form that sweeps work on."""
    return jax.tree.map(lambda x: jnp.moveaxis(x, 0, -1), tree)


def samples_first(tree):
    """Undo `samples_last`."""
    return jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), tree)


def check_chains(previous, num_samples: int) -> None:
    """Raise ValueError unless `previous` holds as many chains as samples are asked for."""
    for leaf in jax.tree.leaves(previous):
        got = np.shape(leaf)[:1] or (0,)
        if got[0] != num_samples:
            raise ValueError(
                f"previous: expected the .chains of {num_samples} samples, got {got[0]}; "
                "ask for the same num_samples as before"
            )


def available_memory() -> int:
    """Free memory in bytes; 2 GB, what Binder gives, where the system does not say."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2 * 10**9


def check_memory(shapes, rows: int, number: int) -> None:
    """Raise ValueError unless a trace of these shapes, twice, fits in the free memory."""
    need = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(shapes))
    available = available_memory()
    if 2 * need > available:
        raise ValueError(
            f"num_sweeps: expected a trace that fits in {available / 1e9:.1f} GB of free memory, got {rows + 1} rows "
            f"of {number} samples, {2 * need / 1e9:.1f} GB; use a larger `every`, fewer samples, or observe less"
        )
