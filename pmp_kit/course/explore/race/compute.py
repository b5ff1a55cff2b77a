"""Runs of four samplers on four models of 64 spins, and how far they are after a budget of sweeps or time."""

from __future__ import annotations

import functools
import time
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Bool, Float, Int

import pmp_kit as pk

from ....measures import mmd as metrics
from ..shared import grid

SIDE, CHAINS, NOISES, REFERENCE = 8, 100, 3, 1000
"""Spins along a side; samples in a view; how many sets of samples there are; exact samples to compare with."""
SWEEPS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
LAST = {"Gibbs-with-gradients": 32}
"""Samplers that stop earlier, because one of their sweeps takes as long as about forty of PMP."""
SCALE = 10.0  # of the kernel of the MMD
MODELS = ("long line", "warm lattice", "cold lattice", "spin glass")
DAMPING = {"long line": 0.0}
"""Of PMP, if it is not 0.5: max-product on a line settles without damping."""
OWN = {"long line": 1.659, "warm lattice": 0.624, "cold lattice": 1.273, "spin glass": 0.848}
"""Factors of the couplings with which the samples of PMP have the mean energy of exact samples."""
METHODS = ("PMP", "Gibbs", "Gibbs-with-gradients", "DMALA")
SHORT = {"Gibbs-with-gradients": "GWG"}
LASTS = np.array([LAST.get(method, SWEEPS[-1]) for method in METHODS])
RUNS = (*METHODS, "PMP, its own couplings")
COUPLINGS = ("the same", "PMP's own")
BUDGETS = ("sweeps", "time")
MEASURES = ("MMD", "energy")


class Track(NamedTuple):
    """All RUNS on one model: S of them, at R numbers of sweeps, with K sets of noise, N chains, n spins."""

    states: Bool[np.ndarray, "S R K N n"]
    exact: Bool[np.ndarray, "M n"]
    """Exact samples, drawn row by row."""
    mmd: Float[np.ndarray, "S R K"]
    """MMD^2 to the exact samples, in standard deviations of a perfect sampler's: 0 is perfect."""
    energy: Float[np.ndarray, "S R K"]
    """Mean energy of a spin minus the exact mean, in nats."""
    band: float
    """Standard error of that mean for a perfect sampler."""
    seconds: Float[np.ndarray, " methods"]
    """Of one sweep of one sample with each of the METHODS, measured on this machine."""


@functools.cache
def model(name: str) -> grid.Grid:
    """Build one of the models; all use the same grid."""
    if name not in MODELS:
        raise ValueError(f"model: expected one of {', '.join(MODELS)}, got {name!r}")
    strengths = {
        "long line": 2.5 * grid.snake(SIDE)[1],
        "warm lattice": np.full(len(grid.pairs(SIDE)), 0.3),
        "cold lattice": np.full(len(grid.pairs(SIDE)), 0.6),
        "spin glass": 0.8 * grid.random_signs(SIDE, seed=1),
    }
    return grid.spins(SIDE, strengths[name])


@functools.cache
def tracks() -> dict[str, Track]:
    """Make all runs, once for all explorers: some seconds, most of them for compiling."""
    runs, seconds = {}, {}
    for name in MODELS:
        for method in RUNS:
            runs[name, method], taken = _run(name, method)
            seconds[method] = min(taken, seconds.get(method, np.inf))  # the first one compiles
    speed = np.array([seconds[method] for method in METHODS])
    return {name: _judge(name, np.stack([runs[name, method] for method in RUNS]), speed) for name in MODELS}


def sampler(name: str, method: str) -> pk.samplers.AbstractSampler:
    """Return a sampler. The step size of DMALA is the best of 0.2, 0.4, 0.8 and 1.6 on these models."""
    if method.startswith("PMP"):
        return pk.PMP(damping=DAMPING.get(name, 0.5))
    return {"Gibbs": pk.Gibbs(), "DMALA": pk.DiscreteLangevin(0.4)}.get(method, pk.GibbsWithGradients())


def _run(name: str, method: str) -> tuple[Bool[np.ndarray, "R K N n"], float]:
    """Run one sampler on one model; also return the seconds for a sweep of one sample. All runs use the same key."""
    last, number, problem = LAST.get(method, SWEEPS[-1]), NOISES * CHAINS, model(name)
    if method not in METHODS:
        problem = problem._replace(weight=OWN[name] * problem.weight, log_odds=OWN[name] * problem.log_odds)
    start = time.perf_counter()
    history = pk.trace(jax.random.key(0), problem.graph(), sampler(name, method), num_sweeps=last, num_samples=number)
    seconds = (time.perf_counter() - start) / last / number
    states = history.values["x"][[min(sweeps, last) for sweeps in SWEEPS]].astype(bool)
    return states.reshape(len(SWEEPS), NOISES, CHAINS, -1), seconds


def _judge(name: str, states: Bool[np.ndarray, "S R K N n"], seconds: np.ndarray) -> Track:
    """Compare all runs on a model with exact samples."""
    problem = model(name)
    exact, fresh = grid.samples(problem, REFERENCE, seed=0), grid.samples(problem, CHAINS, seed=1)
    null = metrics.mmd_panel(fresh, exact, scales=(SCALE,))[0].null
    spins = states.shape[-1]
    energies = -problem.score(states.astype(np.int8)) / spins
    true = -problem.score(exact) / spins
    energy, band = energies.mean(-1) - true.mean(), float(true.std() / CHAINS**0.5)
    return Track(states, exact.astype(bool), mmd(states, exact) / null, energy, band, seconds)


def mmd(states: Bool[np.ndarray, "... N n"], exact: Int[np.ndarray, "M n"]) -> Float[np.ndarray, ...]:
    """Compute the U-statistic of MMD^2, like `metrics.mmd`, for many sets of samples at once."""
    x, y = 2.0 * states.astype(np.float32) - 1.0, 2.0 * exact.astype(np.float32) - 1.0
    spins, number, many = x.shape[-1], x.shape[-2], len(exact)

    def kernel(agree):
        return np.exp((agree / spins - 1) * np.float32(0.5 * SCALE))

    within = (kernel(x @ x.swapaxes(-1, -2)).sum((-1, -2), dtype=float) - number) / number / (number - 1)
    between = np.array([kernel(one @ y.T).mean(dtype=float) for one in x.reshape(-1, number, spins)])
    return within + (kernel(y @ y.T).sum(dtype=float) - many) / many / (many - 1) - 2 * between.reshape(within.shape)


class State(NamedTuple):
    """Results of S = 4 methods after a budget. R numbers of sweeps, N samples of n spins."""

    model: str
    measure: str
    budget: str
    sweeps: int
    """Of PMP."""
    rows: Int[np.ndarray, " S"]
    """Index of each method in the list of sweeps."""
    used: Int[np.ndarray, " S"]
    """Sweeps of each method."""
    samples: Bool[np.ndarray, "S N n"]
    exact: Bool[np.ndarray, "N n"]
    places: Float[np.ndarray, "S R"]
    """Sweeps, or time in sweeps of PMP."""
    curves: Float[np.ndarray, "S R"]
    """MMD^2 in standard deviations of a perfect sampler's, or the error of the mean energy of a spin, in nats."""
    band: float
    """Standard deviation of a perfect sampler."""
    microseconds: float
    """Time of PMP for one sample."""
    seed: int

    @property
    def values(self) -> Float[np.ndarray, " S"]:
        """The measure of each method after its sweeps."""
        return self.curves[np.arange(len(self.rows)), self.rows]


def state(model: str, couplings: str, budget: str, measure: str, sweeps: int, seed: int) -> State:
    """Look up the results of all methods; nothing is sampled here."""
    runs, noise, listed = tracks()[model], seed % NOISES, np.array(SWEEPS)
    which = np.arange(len(METHODS))
    which[0] = len(METHODS) * (couplings == COUPLINGS[1])  # the other run of PMP is the last one
    pace = runs.seconds / runs.seconds[0] if budget == "time" else np.ones(len(which))
    rows = ((listed <= LASTS[:, None]) & (listed * pace[:, None] <= sweeps * (1 + 1e-9))).sum(1) - 1
    curves = (runs.mmd if measure == "MMD" else runs.energy)[which, :, noise]
    places = np.minimum(listed, LASTS[:, None]) * pace[:, None]
    return State(
        *(model, measure, budget, sweeps, rows, listed[rows]),
        *(runs.states[which, rows, noise], runs.exact[:CHAINS], places, curves),
        *(1.0 if measure == "MMD" else runs.band, 1e6 * sweeps * float(runs.seconds[0]), seed),
    )
