"""Timing: paired rounds of warm runs, the time of a sweep from the difference of two runs, and facts of a machine."""

import os
import pathlib
import platform
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ....engine import threads

FEW, MOST = 2, 2**20
COPY_BYTES = 256 * 10**6
"""Bytes that are copied to measure the memory bandwidth: 256 MB, much more than any cache."""
QUEUED = 20
"""The copies that a GPU makes one after the other when its memory bandwidth is measured."""

Run = Callable[[int], object]


class Ratio(NamedTuple):
    """The median of paired ratios, one for each round, and half their interquartile range as the noise."""

    value: float
    noise: float


def timed(run: Callable, *arguments) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - start


def fastest(run: Callable, *arguments, times: int) -> float:
    """Return the seconds of the fastest of several calls: other load on the machine only makes calls longer."""
    return min(timed(run, *arguments) for _ in range(times))


def long_enough(run: Run, seconds: float) -> int:
    """Return a number of sweeps that takes longer than FEW: by `seconds`, and by twice the time of FEW."""
    run(FEW)
    few, many = fastest(run, FEW, times=2), 2 * FEW
    wanted = max(seconds, 2.0 * few)
    while many < MOST:
        run(many)
        longer = timed(run, many) - few
        if longer >= wanted:
            break
        growth = np.clip(1.2 * wanted / max(longer, 1e-9), 2.0, 16.0)
        many = FEW + int((many - FEW) * growth)
    return many


def sweep_times(runs: Mapping[str, Run], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Return the milliseconds of a sweep in each round.

    The runs alternate, A B A B, so that other load on the machine affects all of them. The time is NaN in a round in
    which more sweeps took less time because of other load.
    """
    many = {name: long_enough(run, seconds) for name, run in runs.items()}
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            short, long = timed(run, FEW), timed(run, many[name])
            found[name].append(1e3 * (long - short) / (many[name] - FEW) if long > short else float("nan"))
    return found


def ratio(slow: list[float], fast: list[float]) -> Ratio:
    """Return the ratio of `slow` to `fast`, computed round by round."""
    return spread(np.divide(slow, fast))


def spread(values) -> Ratio:
    """Return the median and half the interquartile range."""
    low, middle, high = np.quantile(np.asarray(values, float), [0.25, 0.5, 0.75])
    return Ratio(float(middle), float(high - low) / 2)


def copy_8_bytes(size: int = COPY_BYTES, times: int = 5) -> float:
    """Return the nanoseconds to copy 8 bytes in an array of `size` bytes of float32, the best of several runs.

    On a GPU or TPU the array is copied there, QUEUED times without waiting in between: the processor needs a tenth of a
    millisecond to hear that a copy is done. On a CPU np.copyto copies it in one thread or in two: the faster counts.
    """
    if jax.default_backend() != "cpu":
        array, copy = jnp.ones(size // 4, jnp.float32), jax.jit(jnp.copy)

        def queue() -> None:
            for _ in range(QUEUED):
                last = copy(array)
            last.block_until_ready()

        queue()
        return 1e9 * fastest(queue, times=times) / (size / 8) / QUEUED
    source = np.ones(size // 4, np.float32)
    target = np.zeros_like(source)
    halves = list(zip(np.split(target, 2), np.split(source, 2), strict=True))
    pool = threads.pool()
    copies: list[Callable] = [lambda: np.copyto(target, source)]
    if pool is not None:
        copies.append(lambda: list(pool.map(lambda half: np.copyto(*half), halves)))
    return 1e9 * min(fastest(copy, times=times) for copy in copies) / (size / 8)


def machine() -> dict[str, Any]:
    """Return the hardware and the versions that a measured time depends on."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "jax": jax.__version__,
        "backend": jax.default_backend(),
        "device": jax.devices()[0].device_kind,
    }


def processor(listing: str = "/proc/cpuinfo") -> str:
    """Return the model name of the processor if the system reports it, otherwise its architecture."""
    path = pathlib.Path(listing)
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
