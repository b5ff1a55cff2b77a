"""Measure the seconds until the samples are as good as those of the paper's algorithm."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.plain_pairwise import noise
from pmp_kit.course.experiments.speed import timing, workloads
from pmp_kit.course.experiments.speed.workloads import Workload
from pmp_kit.engine import planes
from pmp_kit.graph import as_graph
from pmp_kit.models import Ising
from pmp_kit.sample import sample
from pmp_kit.samplers import PMP, AbstractSampler, PerturbAndMAP
from pmp_kit.solvers import Alternating, Exhaustive, MaxProduct, NeutralStart, Polished, Portfolio, RandomMask

LADDER = (*range(1, 21), 25, 30, 40, 50, 75, 100)
LONGER = (*LADDER, 200, 400)
"""The paper's algorithm and the defaults may run longer, to find out whether they reach the target."""
CHAINS = {"dense": 20, "rbm": 20, "lattice": 1000, "erdos-renyi": 1000}
"""Number of samples in the full profile. It is large, so the cost of a call itself is negligible."""
SHARE = 0.99
"""The share of the improvement from one sweep of the paper's algorithm to the best that must be reached."""
BEST: dict[str, AbstractSampler] = {
    "dense": PMP(),
    "rbm": PMP(damping=0.4, schedule=Alternating()),
    "lattice": PMP(damping=0.05, schedule=Alternating(), keep_best=False, tolerance=0.0),
    "erdos-renyi": PMP(),
    "deconvolution": PMP(schedule=Alternating(), keep_best=False),
}
"""The settings documented as best for each kind of model."""


def time_to_quality(name: str, profile: str, rounds: int) -> dict:
    """Compare two settings with Algorithm 1 (zero start, flooding, last decoded state) by their time to a mean quality.

    The target of the defaults is the best quality of the paper's algorithm. The target of the best settings is the best
    quality of any setting in 100 sweeps. If the paper's algorithm never reaches it, its time is that of 400 sweeps, and
    the ratio is a lower bound. The time is that of the whole call. "unswept" is the time of a call without sweeps.
    """
    chains = {"chains": CHAINS[name]} if profile == "full" and name in CHAINS else {}
    work, key = workloads.build(name, profile, **chains), jax.random.key(5)
    settings = {"paper": workloads.ALGORITHM_1, "defaults": PMP(), "best": BEST[name]}
    climbs = {
        setting: [quality(work, key, work.sample(key, sampler, sweeps)) for sweeps in ladder(setting)]
        for setting, sampler in settings.items()
    }
    known = {"defaults": max(climbs["paper"]), "best": max(max(climb[: len(LADDER)]) for climb in climbs.values())}
    races = {}
    for setting, best in known.items():
        target = climbs["paper"][0] + SHARE * (best - climbs["paper"][0])
        sweeps = {who: first_reaching(climbs[who], target) for who in ("paper", setting)}
        seconds: dict[str, list[float]] = {who: [] for who in sweeps}
        unswept: dict[str, list[float]] = {who: [] for who in sweeps}
        for _ in range(rounds if sweeps[setting] else 0):
            for who, number in sweeps.items():
                unswept[who].append(timing.timed(work.sample, key, settings[who], 0))
                seconds[who].append(timing.timed(work.sample, key, settings[who], number or ladder(who)[-1]))
        races[setting] = {"target": target, "sweeps": sweeps, "seconds": seconds, "unswept": unswept}
    return {"quality": climbs, "races": races}


def ladder(setting: str) -> tuple[int, ...]:
    """The numbers of sweeps after which a setting's quality is measured."""
    return LADDER if setting == "best" else LONGER


def first_reaching(climb: list[float], target: float) -> int | None:
    """The first number of sweeps with this quality, or None if no number has it."""
    return next((sweeps for sweeps, value in zip(LONGER, climb, strict=False) if value >= target), None)


def quality(work: Workload, key, samples) -> float:
    """The mean score under the perturbed model, or the share of correct pixels for deconvolution."""
    if work.evidence is not None:
        return float(np.mean(explained(samples["W"][0], samples["S"][0]) == work.evidence["X"]))
    graph, flat = as_graph(work.model), work.flat(samples)
    states = planes.from_states(jnp.asarray(flat.T, jnp.int32), 1, graph.unaries.dtype)
    draws = jax.vmap(lambda number: noise(key, number, flat.shape[1]))(jnp.arange(work.chains))
    return float(jnp.mean(graph.score(states) + jnp.sum(draws.T * states[0], axis=0)))


def explained(features, locations) -> np.ndarray:
    """Images (N, H, W) made of features (F, fh, fw) at locations (N, F, h, w)."""
    rows, columns = features.shape[1:]
    number, _, height, width = locations.shape
    images = np.zeros((number, height + rows - 1, width + columns - 1), bool)
    for row, column in np.ndindex(rows, columns):
        on = np.einsum("nfyx,f->nyx", locations, features[:, row, column]) > 0
        images[:, row : row + height, column : column + width] |= on
    return images


def exact_maps(profile: str) -> dict[str, list[bool]]:
    """Which samples are highest-scoring configurations (MAP) of dense random models of 15 spins (Section 5.2).

    All methods use the same number of message updates. The portfolio runs five starts with different random orders for
    a fifth of the sweeps each, and improves the best result by single flips.
    """
    models, spins, each = (40, 15, 5) if profile == "full" else (3, 6, 2)
    starts: tuple[Any, ...] = tuple(map(NeutralStart, (-1.0, 0.0, 1.0, 2.0, 3.0)))
    members = [
        MaxProduct(start=start, tolerance=0.0, schedule=RandomMask(jax.random.key(100 + place), 0.8))
        for place, start in enumerate(starts)
    ]
    settings = {
        "paper": (workloads.ALGORITHM_1, 200),
        "defaults": (PMP(tolerance=0.0), 200),
        "best": (PerturbAndMAP(Polished(Portfolio(*members))), 40),
    }
    found: dict[str, list[bool]] = {setting: [] for setting in settings}
    for seed in range(models):
        model, key = random_spins(seed, spins), jax.random.key(seed)
        exact = sample(key, model, PerturbAndMAP(Exhaustive()), num_samples=each, num_sweeps=1)["x"]
        for setting, (sampler, sweeps) in settings.items():
            states = sample(key, model, sampler, num_samples=each, num_sweeps=sweeps)["x"]
            found[setting] += (states == exact).all(1).tolist()
    return found


def random_spins(seed: int, spins: int) -> Ising:
    """Each coupling is a sum of two U[-2, 2] and each field is U[-0.1, 0.1], as in the authors' code."""
    rng = np.random.default_rng(seed)
    coupling = rng.uniform(-2.0, 2.0, (spins, spins))
    coupling = coupling + coupling.T
    np.fill_diagonal(coupling, 0.0)
    field = rng.uniform(-0.1, 0.1, spins)
    return Ising(4.0 * coupling, 2.0 * field - 2.0 * coupling.sum(1))
