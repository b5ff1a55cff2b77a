"""Page 01: how long a computer needs to sum over all states of a model."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .. import plot
from ..plot.figure import Figure
from .speed import timing

WIDTH, HEIGHT = 700, 300
YARDSTICKS = {"one second": 1.0, "one day": 86_400.0, "age of the universe": 4.35e17}  # seconds
MOST = 100  # variables at the right end of the axis


def log_partition(coupling: np.ndarray) -> float:
    """Return log Z of spins with couplings (n, n), by a sum over all 2^n states."""
    n = len(coupling)
    states = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    scores = 0.5 * ((states @ coupling) * states).sum(axis=1)
    return float(np.log(np.exp(scores - scores.max()).sum()) + scores.max())


def seconds(sizes: Iterable[int]) -> dict[int, float]:
    """Measure the sum for models of these numbers of spins: the fastest of three runs, in seconds."""
    return {n: timing.fastest(log_partition, 0.5 / n * (1 - np.eye(n)), times=3) for n in sizes}


def figure(times: dict[int, float]) -> Figure:
    """Draw measured times against the number of spins, and their continuation, which doubles with each spin.

    Args:
        times: number of spins -> seconds.
    """
    sizes, measured = np.array(list(times)), np.array(list(times.values()))
    last = sizes[-1]
    ahead = np.arange(last, MOST + 1)
    canvas = plot.Canvas(WIDTH, HEIGHT)
    axes = canvas.axes(0.1, 0.18, 0.87, 0.74)
    axes.set(yscale="log", xlim=(0, MOST), ylim=(1e-5, 1e24))
    for name, height in YARDSTICKS.items():
        axes.axhline(height, color=plot.FAINT, linewidth=1)
        axes.text(1, height * 1.6, name, fontsize=plot.TEXT, color=plot.QUIET)
    axes.plot(ahead, measured[-1] * 2.0 ** (ahead - last), "--", color=plot.INK, linewidth=1.2)
    axes.plot(sizes, measured, "o-", color=plot.METHODS["exact"].colour, markersize=4)
    axes.text(last + 3, measured[-1] / 300, "measured here", **plot.WRITING)
    axes.text(88, 1e14, "each spin\ndoubles it", **plot.WRITING)
    axes.set_yticks([1e-4, 1e0, 1e4, 1e8, 1e12, 1e16, 1e20, 1e24])
    axes.minorticks_off()
    axes.set_xlabel("number of spins", **plot.WRITING)
    axes.set_title("seconds to compute Z", **plot.WRITING, loc="left")
    return Figure(canvas.png(), WIDTH, "seconds to compute Z against the number of spins, with a dashed continuation")
