"""The results of the graph lab: every method at every number of sweeps, on two graphs of 49 nodes, with two seeds.

`python -m pmp_kit.course.experiments.graphs.lab` computes them in about two minutes and
writes pmp_kit/course/data/structured.npz.
"""

import functools

import numpy as np

from ... import data as kept
from ..ledger import pieces
from . import learn
from .data import DATA, GRAPHS, draw_data, name_of, truth
from .learn import METHODS

SWEEPS, SEEDS, NODES = (2, 5, 10, 25), (40, 41), 49
SETTINGS = {"nodes": NODES, "samples": 2000, "mixing": 1600, "rate": 0.005, "iterations": 100}
SIZE = tuple(SETTINGS[name] for name in ("nodes", "samples", "mixing"))
NUMBERS = ("rmse", "seconds", "sigmas", "log_mmd")
MOST_PAIRS = 300
"""Number of unconnected pairs whose learned weight is stored."""


def measure() -> dict[str, np.ndarray]:
    """Compute all numbers, (graph, method, sweeps, seed, ...), and for the first seed the weights of `pairs`."""
    chosen = [(g, m, s, seed) for g in GRAPHS for m in METHODS for s in SWEEPS for seed in SEEDS]
    settings = {
        f"{g}, {m}, {s} sweeps, seed {seed}": SETTINGS | {"graph": g, "method": m, "sweeps": s, "seed": seed}
        for g, m, s, seed in chosen
    }
    found = list(pieces(learn.run, settings).values())
    shape = len(GRAPHS), len(METHODS), len(SWEEPS), len(SEEDS)
    stacked = {name: np.array([_number(run, name) for run in found], np.float32) for name in NUMBERS}
    arrays: dict = {name: values.reshape(*shape, *values.shape[1:]) for name, values in stacked.items()}
    for k, graph in enumerate(GRAPHS):
        first, second = pairs(graph)
        weights = np.array([run["weight"][first, second] for run in found])
        arrays[f"learned {graph}"] = weights.reshape(*shape, -1)[k, :, :, 0].astype(np.float16)
        beside = learn.references(graph, *SIZE)
        arrays[f"beside {graph}"] = np.array([_number(one, "sigmas") for one in beside.values()], np.float32)
    return arrays


def draw() -> dict[str, np.ndarray]:
    """Draw the data of both graphs, stored under the names that `data.data` reads."""
    arrays = {}
    for graph in GRAPHS:
        found = draw_data(graph, *SIZE)
        name = name_of(graph, *SIZE)
        arrays |= {name: found["packed"], f"r_hat of {name}": np.array(found["r_hat"])}
    return arrays


def pairs(graph: str) -> tuple[np.ndarray, np.ndarray]:
    """Return all connected pairs and `MOST_PAIRS` random unconnected pairs."""
    first, second = np.triu_indices(NODES, 1)
    there = truth(graph, NODES)[0][first, second] != 0
    others = np.random.default_rng(0).choice(np.flatnonzero(~there), MOST_PAIRS, replace=False)
    chosen = np.concatenate([np.flatnonzero(there), np.sort(others)])
    return first[chosen], second[chosen]


def _number(run: dict, name: str):
    """Return one number of a run.

    "sigmas" is MMD^2 in standard deviations of a perfect sampler. "seconds" is the time of learning and drawing.
    """
    if name == "sigmas":
        return run["mmd"] / run["null"]
    return run["train_s"] + run["test_s"] if name == "seconds" else run[name]


@functools.cache
def load() -> dict[str, np.ndarray]:
    """Read the stored result of `measure`."""
    return kept.read(DATA)[0]


def results() -> list[dict[tuple, dict]]:
    """Return the stored results as in `learn.reset`: for each seed, (graph, method, sweeps) -> some numbers."""
    table, places = load(), [(g, m, s) for g in GRAPHS for m in METHODS for s in SWEEPS]
    rows = {name: table[name].reshape(len(places), len(SEEDS)) for name in ("log_mmd", "rmse")}
    return [
        {place: {name: float(row[k, seed]) for name, row in rows.items()} for k, place in enumerate(places)}
        for seed in range(len(SEEDS))
    ]


def main() -> None:
    """Draw the data and write them. Then learn from them, and add the results to the file."""
    drawn = draw()
    kept.write(DATA, drawn)
    kept.write(DATA, drawn | measure())


if __name__ == "__main__":
    main()
