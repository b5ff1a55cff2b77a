"""Scaling curves: the time of a sweep against the number of variables, edges, chains and images."""

import jax
import numpy as np

from . import timing, workloads

CURVES = {
    "full": {
        "variables": ("dense", "variables", (100, 200, 400, 800, 1600, 3000), {"chains": 20}),
        "edges": ("erdos-renyi", "variables", (500, 1000, 2000, 4000), {}),
        "chains": ("dense", "chains", (10, 20, 40, 80), {"variables": 300}),
        "images": ("deconvolution", "images", (25, 50, 100, 200, 400), {}),
    },
    "quick": {
        "variables": ("dense", "variables", (20, 40), {}),
        "edges": ("erdos-renyi", "variables", (50, 100), {}),
        "chains": ("dense", "chains", (4, 8), {}),
        "images": ("deconvolution", "images", (2, 4), {}),
    },
}
"""Name of a curve -> the workload, the size that varies, its values, and the fixed sizes."""


def measure(name: str, profile: str, rounds: int, seconds: float) -> dict:
    """Measure one curve: the sizes, and the milliseconds per sweep at each size in each round."""
    place, size, values, held = CURVES[profile][name]
    works = [workloads.build(place, profile, **{**held, size: value}) for value in values]
    counts = [work.messages // (2 * work.chains) for work in works] if name == "edges" else list(values)
    runs = {str(count): runner(work) for count, work in zip(counts, works, strict=True)}
    return {"workload": place, "size": counts, "ms": list(timing.sweep_times(runs, rounds, seconds).values())}


def runner(work: workloads.Workload) -> timing.Run:
    """Return a function that runs the paper's algorithm for a number of sweeps."""
    return lambda number: work.sample(jax.random.key(workloads.SEED), work.algorithm, number)


def exponent(curve: dict) -> float:
    """Return the exponent of the power law that fits the median times (least squares in logarithms).

    A round is left out if other load made its time NaN.
    """
    cost = [np.nanmedian(times) for times in curve["ms"]]
    return float(np.polyfit(np.log(curve["size"]), np.log(cost), 1)[0])
