"""Chunks of samples: how many samples are computed at once, so that their state fits in the cache and in memory."""

from math import ceil

import jax
import jax.numpy as jnp
import numpy as np

from . import cores, memory, validate
from .devices import Devices, chosen

CACHE_BUDGET = 2**22
"""The most bytes of sampler state in one chunk on a CPU: 4 MB, about the size of its second-level cache."""
DEVICE_BUDGET = 2**29
"""The same limit on a GPU or TPU: 512 MB, because these devices need many samples at once."""
ALONE = 48 * 2**10
"""Bytes of one sample's state (48 KB, the first-level cache) above which a CPU computes dense samples one by one.

This holds for samplers with parallel sweeps. A chunk of a few large samples takes up to three times as long, because
the arrays of a sample are no longer contiguous along the sample axis.
"""
MOST_SAMPLES = 256
"""The largest number of samples in a chunk on a CPU."""
MOST_IN_PARALLEL = 64
"""The same limit for samplers that update all messages at once."""
LANES = 16
"""Numbers that one vector instruction of a CPU processes.

A chunk of 20 samples takes longer than two chunks of 16, because 4 samples do not fill a vector.
"""
SPARSE_BUDGET = 2**20
"""The most bytes of a chunk of a sparse model (1 MB), if it has more than LANES samples."""
LANES_BUDGET = 2**23
"""The most bytes of a chunk of a sparse model (8 MB), if it has LANES samples."""
FEW = (4, 2, 1)
"""The samples in a chunk of a sparse model if LANES samples are too large: the most that fit in CACHE_BUDGET, or one.

Sparse factors read beliefs by index. More samples side by side read neighbouring numbers with each index, but fewer
messages are still in the cache at their next use. 8 samples take as long for each message as 4, and need more padding.
"""
CHUNKS_A_ROUND = 16
"""The most chunks of a device in one compiled call. Between calls the progress bar is updated and Ctrl-C is handled."""
ROUND_BUDGET = 2**26
"""The most bytes of samples that one compiled call returns (64 MB), if it computes more than one chunk a device."""


def choose(graph, sampler, num_samples: int, devices: Devices | None = None) -> int:
    """Return the number of samples in a chunk.

    It depends on the bytes of one sample's state and on the devices (by default all devices).
    """
    used = devices or chosen()
    size = bytes_of_one(graph, sampler)
    on_cpu, number = used[0].platform == "cpu", len(used)
    if on_cpu and sampler.parallel:
        workers = cores.workers(used) * number
        if graph.variables.num_planes > 1:
            return of_many_states(size, num_samples, workers)
        return of_parallel_sweeps(size, graph.gathers, num_samples, workers)
    largest = min(MOST_SAMPLES, CACHE_BUDGET // size) if on_cpu else DEVICE_BUDGET // size
    workers = min(cores.workers(used), ceil(num_samples / LANES)) if sampler.shared_out else 1
    return even(num_samples, max(1, min(largest, ceil(num_samples / (workers * number)))))


def of_parallel_sweeps(size: int, gathers: bool, num_samples: int, workers: int) -> int:
    """Return the number of samples in a chunk of binary variables on a CPU, if all messages are updated at once.

    Args:
        size: the bytes of one sample's state.
        gathers: whether the messages are computed with index arrays; see `FactorGraph.gathers`.
        num_samples: the number of samples.
        workers: the number of threads that compute chunks at the same time.
    """
    if not gathers:
        return in_lanes(num_samples, workers, MOST_IN_PARALLEL) if size < ALONE else 1
    if size * LANES <= LANES_BUDGET:
        return in_lanes(num_samples, workers, SPARSE_BUDGET // size)
    few = next(number for number in FEW if number * size <= CACHE_BUDGET or number == 1)
    return min(few, ceil(num_samples / workers))


def of_many_states(size: int, num_samples: int, workers: int) -> int:
    """Return the same for variables with more states, whose messages are contiguous along the edges.

    One sample then fills vector instructions. Chunks of LANES samples are faster while they fit in the cache.
    """
    return in_lanes(num_samples, workers, LANES) if size * LANES <= CACHE_BUDGET else 1


def bytes_of_one(graph, sampler) -> int:
    """Return the bytes of a sampler's state for one sample, at least 1."""
    return max(1, memory.bytes_of(_state_of_one, graph, sampler))


def _state_of_one(graph, sampler):
    """Return a sampler's state for one sample."""
    unaries = jnp.zeros((graph.variables.num_planes, graph.variables.count, 1), graph.unaries.dtype)
    return sampler.init(jax.random.split(jax.random.key(0), 1), graph, unaries, None)


def even(total: int, largest: int) -> int:
    """Return the part size of at most `largest` for which equal parts of `total` need the least padding."""
    return ceil(total / ceil(total / largest))


def in_lanes(total: int, workers: int, most: int) -> int:
    """Return the size of equal parts for the workers, at most MOST_IN_PARALLEL and a multiple of LANES.

    If `total` is smaller than this size, the result is `total`. Parts of more than LANES are also at most `most`.
    """
    largest = max(LANES, min(most, MOST_IN_PARALLEL) // LANES * LANES)
    parts = max(ceil(total / largest), min(workers, ceil(total / LANES)))
    return min(total, ceil(total / (parts * LANES)) * LANES)


def rounds(num_samples: int, chunk: int, variables: int, devices: Devices) -> list[np.ndarray]:
    """Return the sample numbers of each compiled call, (R, chunk). Places past the end repeat the last sample.

    Args:
        num_samples: the number of samples.
        chunk: the number of samples in a chunk.
        variables: the number of variables. A sample holds 4 bytes for each.
        devices: the devices.
    """
    chunk = min(chunk, num_samples)
    chunks, workers = ceil(num_samples / chunk), cores.workers(devices)
    most = min(CHUNKS_A_ROUND, max(1, ROUND_BUDGET // (4 * variables * chunk * len(devices))))
    calls = ceil(chunks / (most * workers * len(devices))) * workers  # equally many for each worker
    per_call = ceil(chunks / min(calls, chunks))
    per_call = ceil(per_call / len(devices)) * len(devices)
    return list(padded(num_samples, per_call * chunk).reshape(-1, per_call, chunk))


def padded(num_samples: int, size: int) -> np.ndarray:
    """Return the sample numbers, with the last one repeated until their count is a multiple of `size`."""
    return np.minimum(np.arange(ceil(num_samples / size) * size, dtype=np.int32), num_samples - 1)


def take(tree, ids: np.ndarray):
    """Return the samples `ids` (R, chunk) of arrays (num_samples, ...), as arrays (R, chunk, ...)."""
    return jax.tree.map(lambda x: x[ids], tree)


def take_evidence(evidence, ids: np.ndarray):
    """Return the evidence (R, chunk, n) of the samples `ids`, or (n,) of all samples if there is one row for all."""
    return evidence[0] if len(evidence) == 1 else evidence[ids]


def join(parts: list, num_samples: int):
    """Undo `take`: join one tree for each compiled call into one tree of arrays (num_samples, ...)."""

    def merge(*leaves):
        xp = np if isinstance(leaves[0], np.ndarray) else jnp  # NumPy is faster for small arrays
        flat = (leaf.reshape(leaf.shape[0] * leaf.shape[1], *leaf.shape[2:]) for leaf in leaves)  # -1 needs a size > 0
        return xp.concatenate(list(flat))[:num_samples]

    return jax.tree.map(merge, *parts)


def samples_last(tree, dtype):
    """Move the sample axis of arrays (num_samples, ...) to the end, which is the layout inside sweeps.

    Floats get the type `dtype` of the model, because chains may go on in another precision.
    """

    def moved(x):
        last = jnp.moveaxis(x, 0, -1)
        return last.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else last

    return jax.tree.map(moved, tree)


def samples_first(tree):
    """Undo `samples_last`."""
    return jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), tree)


def check_previous(previous, sampler, num_samples: int) -> None:
    """Raise ValueError or TypeError unless the sampler can continue its chains from `previous`."""
    if previous is None:
        return
    if not sampler.continues:
        raise ValueError(
            f"previous: expected a sampler that continues its chains, got {type(sampler).__name__}, whose samples are "
            "independent; use PersistentPMP(), or leave `previous` out"
        )
    if hasattr(previous, "chains"):  # the result of `sample` or `trace`
        hint = "write .chains after it"
        if previous.chains is None:
            hint = "its samples are independent; to start chains at them, see the questions in docs/faq.md"
        raise TypeError(f"previous: expected the .chains of an earlier call, got {type(previous).__name__}; {hint}")
    for leaf in jax.tree.leaves(previous):
        if not hasattr(leaf, "shape"):
            raise TypeError(f"previous: expected the .chains of an earlier call, got {validate.describe(previous)}")
        got = leaf.shape[:1] or (0,)
        if got[0] != num_samples:
            raise ValueError(
                f"previous: expected the .chains of {num_samples} samples, got {got[0]}; "
                "use the same num_samples as before"
            )
