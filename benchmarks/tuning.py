"""Measure whether `tune` finds settings that are at least as fast as `PMP()` and as the best documented settings."""

import math
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

import pmp_kit as pk
from benchmarks import choosing_problems
from benchmarks.quality import BEST
from pmp_kit.course.experiments.speed import timing, workloads
from pmp_kit.graph import as_graph
from pmp_kit.samplers import AbstractSampler
from pmp_kit.tuning.quality import PerturbedScores
from pmp_kit.tuning.tune import LADDER, climb

BUDGET = {"full": 10.0, "quick": 0.1}
"""Seconds for `tune` on each model. 10 is its default."""
ROUNDS = {"full": 7, "quick": 1}
KEYS = {"full": 4, "quick": 1}
"""How many sets of new samples the losses are measured on. With one set, luck decides between nearly equal settings."""
GIVEN_UP = 4.0
"""The multiple of the tuned time at which a rival's climb ends. Its ratio is then a lower bound."""
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
"""A Sudoku with one solution, row by row, with 0 for empty cells."""
PORTFOLIO = pk.PerturbAndMAP(choosing_problems.orders())
NAMES = (
    *workloads.BUILDERS,
    *("segmentation", "parity code", "hidden Markov", "frustrated lattice", "queens", "Sudoku"),
)
"""The names of `problems`, in order."""


class Problem(NamedTuple):
    """A model, and the best documented settings for it."""

    model: Any
    evidence: dict | None
    best: AbstractSampler


def sudoku() -> Problem:
    """A Sudoku: one state for each cell and digit, and each digit once in each row, column and box."""
    variables = pk.Variables(digit=pk.Binary(9, 9, 9))
    ids = variables["digit"]  # row, column, digit
    boxes = ids.reshape(3, 3, 3, 3, 9).transpose(0, 2, 4, 1, 3)  # box row, box column, digit, row, column
    groups = [ids.reshape(81, 9), ids.transpose(0, 2, 1).reshape(81, 9), ids.transpose(1, 2, 0).reshape(81, 9)]
    model = pk.FactorGraph(variables, [pk.ExactlyOne(np.concatenate([*groups, boxes.reshape(81, 9)]))])
    known = np.full((81, 9), pk.FREE)
    for cell, digit in enumerate(map(int, PUZZLE)):
        if digit:
            known[cell] = np.arange(1, 10) == digit
    return Problem(model, {"digit": known.reshape(9, 9, 9)}, PORTFOLIO)


def problems(profile: str) -> dict[str, Problem]:
    """The five workloads, segmentation, a parity code and Sudoku, and three further families of random models."""
    rng, small = np.random.default_rng(0), profile == "quick"
    found = {name: workloads.build(name, profile) for name in workloads.BUILDERS}
    result = {name: Problem(work.model, work.evidence, BEST[name]) for name, work in found.items()}
    image = {"height": 12, "width": 16, "disparities": 4} if small else {}
    lattice = pk.PMP(damping=0.05, schedule=pk.Alternating())
    others = {
        "segmentation": (choosing_problems.stereo(rng, 0.0, **image), lattice),
        "parity code": (choosing_problems.code(rng, 60 if small else 600), pk.PMP()),
        "hidden Markov": (choosing_problems.hidden_markov(rng, 30 if small else 200), pk.PMP()),
        "frustrated lattice": (choosing_problems.ising(rng, False, *((6, 5) if small else (30, 12))), lattice),
        "queens": (choosing_problems.queens(rng, 5 if small else 8), PORTFOLIO),
    }
    result |= {name: Problem(instance.model, None, best) for name, (instance, best) in others.items()}
    return {**result, "Sudoku": sudoku()}


def measure(name: str, problem: Problem, profile: str) -> dict:
    """Tune one model, and compare the times to the tuned sampler's quality on several sets of new samples.

    A sampler that never reaches this quality gets the time of its longest run, so the ratio is a lower bound. The same
    sampler has ratio 1.
    """
    evidence = problem.evidence
    tuned = pk.tune(jax.random.key(0), problem.model, BUDGET[profile], evidence=evidence)
    number, chosen = tuned.num_samples, (tuned.sampler, tuned.num_sweeps)
    rivals = {"defaults": pk.PMP(), "best": problem.best}
    graph = as_graph(problem.model)
    known = graph.variables.evidence(evidence, number)

    def draw(sampler: AbstractSampler, num_sweeps: int, seed: int = 1):
        key = jax.random.key(seed)
        return pk.sample(key, problem.model, sampler, num_samples=number, num_sweeps=num_sweeps, evidence=evidence)

    draw(*chosen)
    enough = GIVEN_UP * timing.timed(draw, *chosen)
    found: dict[str, list[np.ndarray]] = {who: [] for who in ("tuned", *rivals)}
    for seed in range(1, KEYS[profile] + 1):
        quality = PerturbedScores(jax.random.key(seed), graph, pk.PMP(), known)
        found["tuned"].append(quality.measure(draw(*chosen, seed))[None])
        for who, sampler in rivals.items():
            found[who].append(climb(quality, partial(draw, seed=seed), sampler, math.inf, enough)[2])
    wanted, *losses = quality.losses([_joined(sets) for sets in found.values()])
    runs = {"tuned": chosen}
    for (who, sampler), loss in zip(rivals.items(), losses, strict=True):
        reached = np.flatnonzero(loss.mean <= wanted.mean[0] + wanted.error[0])
        longest = LADDER[reached[0] if reached.size else len(loss.mean) - 1]
        runs[who] = chosen if eqx.tree_equal(sampler, tuned.sampler) else (sampler, longest)
    times: dict[str, list[float]] = {who: [] for who in runs}
    for _ in range(ROUNDS[profile]):
        once = timing.timed(draw, *chosen)
        for who, run in runs.items():
            times[who].append(once if run is chosen else timing.timed(draw, *run))
    return {
        "chosen": tuned.curves[0].name,
        "samples": number,
        "loss": float(wanted.mean[0]),
        "complete": tuned.complete,
        "sweeps": {who: int(sweeps) for who, (_, sweeps) in runs.items()},
        "seconds": times,
    }


def _joined(sets: list[np.ndarray]) -> np.ndarray:
    """Join measurements (K, 2, S) of several sets of samples, up to the number of sweeps that all of them have."""
    return np.concatenate([one[: min(map(len, sets))] for one in sets], axis=-1)


def all_problems(profile: str) -> dict[str, dict]:
    """The measurements of all problems."""
    return {name: measure(name, problem, profile) for name, problem in problems(profile).items()}
