"""Timing: paired rounds of warm runs, and what a sweep costs from the difference of two of them."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ..engine import chunks

FEW, MOST = 2, 2**20
COPY_BYTES = 256 * 10**6
"""What is copied to know the machine's bandwidth: 256 MB, far beyond any cache."""

Run = Callable[[int], object]


class Ratio(NamedTuple):
    """Median of paired ratios, one a round, and half their interquartile range: the noise."""

    value: float
    noise: float


def timed(run: Callable, *arguments) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - start


def long_enough(run: Run, seconds: float) -> int:
    """Sweeps so many that they take `seconds`, and twice the time of FEW sweeps, longer than FEW sweeps."""
    run(FEW)
    few, many = min(timed(run, FEW), timed(run, FEW)), 2 * FEW
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
    """Milliseconds that a sweep takes in each round: the runs take turns, A B A B, so that a busy machine slows all.

    NaN in a round in which the machine was so busy that more sweeps took less time.
    """
    many = {name: long_enough(run, seconds) for name, run in runs.items()}
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            short, long = timed(run, FEW), timed(run, many[name])
            found[name].append(1e3 * (long - short) / (many[name] - FEW) if long > short else float("nan"))
    return found


def ratio(slow: list[float], fast: list[float]) -> Ratio:
    """How many times `fast` goes into `slow`, round by round."""
    return spread(np.divide(slow, fast))


def spread(values) -> Ratio:
    """Median and half the interquartile range."""
    low, middle, high = np.quantile(np.asarray(values, float), [0.25, 0.5, 0.75])
    return Ratio(float(middle), float(high - low) / 2)


def copy_8_bytes(size: int = COPY_BYTES, times: int = 5) -> float:
    """Nanoseconds to copy 8 bytes: np.copyto of `size` bytes of float32, the best of some times.

    Two threads copy a half each, or the halves follow each other where no thread can be started.
    """
    source = np.ones(size // 4, np.float32)
    target = np.zeros_like(source)
    halves = list(zip(np.split(target, 2), np.split(source, 2), strict=True))
    pool = chunks.threads()
    each = pool.map if pool else map
    best = min(timed(lambda: list(each(lambda half: np.copyto(*half), halves))) for _ in range(times))
    return 1e9 * best / (size / 8)
