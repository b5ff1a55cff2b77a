"""Chunks of samples: how many samples are computed at once, so that their state fits in the cache and in memory."""

from math import ceil
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np

from . import memory, threads
from .devices import Devices

Workload = Literal["messages", "gradients", "variables", "host"]
"""What a sweep of a sampler or a solver computes: all messages at once, gradients for all variables at once, one
variable after another, or a callback to NumPy on the host."""
CACHE = 2**22
"""The most bytes of sampler state in one chunk on a CPU: 4 MB, about the size of its second-level cache."""
DEVICE = 2**29
"""The same limit on a GPU or TPU: 512 MB, because these devices need many samples at once."""
ALONE = 48 * 2**10
"""Bytes of one sample's state (48 KB, the first-level cache) above which a CPU computes dense samples one by one.

A chunk of a few large samples takes up to three times as long, because the arrays of a sample are no longer contiguous
along the sample axis.
"""
LANES = 16
"""Numbers that one vector instruction of a CPU processes.

A chunk of 20 samples takes longer than two chunks of 16, because 4 samples do not fill a vector.
"""
MOST_SAMPLES = {"messages": 64, "gradients": 256, "variables": 256, "host": 256}
"""The most samples in a chunk on a CPU. A step for one variable takes as long for 256 samples as for 16."""
SPARSE, SPARSE_LANES = 2**20, 2**23
"""The most bytes of a chunk of a sparse model: 1 MB, but 8 MB if it has LANES samples."""
FEW = (4, 2, 1)
"""The samples in a chunk of a sparse model if LANES samples are too large: the most that fit in CACHE, or one.

Sparse factors read beliefs by index. More samples side by side read neighbouring numbers with each index, but fewer
messages are still in the cache at their next use. 8 samples take as long for each message as 4, and need more padding.
"""
FEWEST_CHUNKS = 4
"""Few samples are divided into this many chunks, one for each core of a usual machine.

It is not the number of cores here, so the same key gives the same samples on every machine.
"""
CHUNKS_A_CALL = 16
"""The most chunks of a device in one compiled call. Between calls the progress bar is updated and Ctrl-C is handled."""
CALL_BYTES = 2**26
"""The most bytes of samples that one compiled call returns (64 MB), if it computes more than one chunk a device."""


def choose(graph, sampler, num_samples: int, devices: Devices) -> int:
    """Return the number of samples in a chunk, at most `num_samples`.

    It depends on the bytes of one sample's state, on what a sweep computes, and on the kind and number of the devices.
    """
    size, number = bytes_of_one(graph, sampler), len(devices)
    if devices[0].platform != "cpu":
        return even(num_samples, min(max(1, DEVICE // size), ceil(num_samples / number)))
    if sampler.workload == "messages":
        return of_messages(size, graph.variables.num_planes, graph.is_sparse, num_samples, FEWEST_CHUNKS * number)
    fewest = number * (min(FEWEST_CHUNKS, ceil(num_samples / LANES)) if sampler.workload == "gradients" else 1)
    most = min(MOST_SAMPLES[sampler.workload], max(1, CACHE // size))
    return even(num_samples, min(most, ceil(num_samples / fewest)))


def of_messages(size: int, num_planes: int, is_sparse: bool, num_samples: int, fewest: int) -> int:
    """Return the number of samples in a chunk on a CPU, if a sweep updates all messages at once.

    Args:
        size: the bytes of one sample's state.
        num_planes: of the graph. Messages to variables with more states are contiguous along the edges, so one sample
            fills vector instructions; chunks of LANES samples are faster while they fit in the cache.
        is_sparse: whether the messages are computed with index arrays; see `FactorGraph.is_sparse`.
        num_samples: the number of samples.
        fewest: the number of chunks that few samples are divided into.
    """
    if num_planes > 1:
        return in_lanes(num_samples, fewest, LANES) if size * LANES <= CACHE else 1
    if not is_sparse:
        return in_lanes(num_samples, fewest, MOST_SAMPLES["messages"]) if size < ALONE else 1
    if size * LANES <= SPARSE_LANES:
        return in_lanes(num_samples, fewest, SPARSE // size)
    few = next(number for number in FEW if number * size <= CACHE or number == 1)
    return min(few, ceil(num_samples / fewest))


def even(total: int, largest: int) -> int:
    """Return the size of chunk of at most `largest` for which equal chunks of `total` need the least padding."""
    return ceil(total / ceil(total / largest))


def in_lanes(total: int, fewest: int, most: int) -> int:
    """Return the size of equal chunks, at least `fewest`: a multiple of LANES, at most `most`, or `total`."""
    largest = max(LANES, min(most, MOST_SAMPLES["messages"]) // LANES * LANES)
    number = max(ceil(total / largest), min(fewest, ceil(total / LANES)))
    return min(total, ceil(total / (number * LANES)) * LANES)


def bytes_of_one(graph, sampler) -> int:
    """Return the bytes of a sampler's state for one sample, at least 1. `init` is traced for it, not computed."""
    return max(1, memory.bytes_of(_state_of_one, graph, sampler))


def _state_of_one(graph, sampler):
    """Return a sampler's state for one sample."""
    unaries = jnp.zeros((graph.variables.num_planes, graph.variables.count, 1), graph.unaries.dtype)
    return sampler.init(jax.random.split(jax.random.key(0), 1), graph, unaries, None)


def ids_of_calls(num_samples: int, chunk: int, variables: int, devices: Devices, most: int) -> list[np.ndarray]:
    """Return the sample numbers of each compiled call, (R, chunk). Places past the end repeat the last sample.

    Args:
        num_samples: the number of samples.
        chunk: the number of samples in a chunk.
        variables: the number of variables. A sample holds 4 bytes for each.
        devices: the devices.
        most: the most chunks of a device in a call, for its time.
    """
    chunk = min(chunk, num_samples)
    number, workers = ceil(num_samples / chunk), threads.workers(devices)
    most = min(most, CHUNKS_A_CALL, max(1, CALL_BYTES // (4 * variables * chunk * len(devices))))
    calls = ceil(number / (most * workers * len(devices))) * workers  # equally many for each worker
    per_call = ceil(number / min(calls, number))
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
        xp = np if isinstance(leaves[0], np.ndarray) else jnp
        flat = [leaf.reshape(leaf.shape[0] * leaf.shape[1], *leaf.shape[2:]) for leaf in leaves]  # -1 needs a size > 0
        return xp.concatenate(flat)[:num_samples]  # a copy, which the caller may change

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
