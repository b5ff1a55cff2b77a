"""Measure PGMax on the pairwise workloads in a separate environment, and the kit directly before and after it."""

import json
import pathlib
import subprocess
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.plain_pairwise import noise
from pmp_kit.course.experiments.speed import timing, workloads
from pmp_kit.course.experiments.speed.workloads import EFFORT
from pmp_kit.graph import as_graph

SCRIPT = pathlib.Path(__file__).with_name("pgmax_process.py")
CHAINS = {"dense": 1, "rbm": 1, "lattice": 20, "erdos-renyi": 20}
"""The number of chains that PGMax runs in parallel in a reasonable time."""


def measure(python: str, profile: str, only: tuple[str, ...] = ()) -> dict:
    """Return the times of PGMax and the kit for each workload, or the reason why a workload has none."""
    return {name: one(python, name, profile) for name in CHAINS if not only or name in only}


def one(python: str, name: str, profile: str) -> dict:
    """Measure one workload."""
    rounds, seconds = EFFORT[profile][:2]
    work, key = workloads.build(name, profile, chains=CHAINS[name]), jax.random.key(workloads.SEED)

    def kit(number):
        return work.sample(key, work.algorithm, number)

    before = timing.sweep_times({"kit": kit}, rounds, seconds)["kit"]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "problem.npz"
        pairs, tables, odds = problem(work, key)
        np.savez(file, pairs=pairs, tables=tables, odds=odds)
        command = [python, str(SCRIPT), str(file), str(rounds), str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"skipped": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    found = json.loads(done.stdout.splitlines()[-1])
    same = np.mean(np.asarray(found.pop("states")) == work.flat(kit(timing.FEW)))
    after = timing.sweep_times({"kit": kit}, rounds, seconds)["kit"]
    return {**found, "chains": work.chains, "same": float(same), "kit_ms": [*before, *after]}


def problem(work: workloads.Workload, key) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Convert a pairwise workload to arrays: pairs, their tables, and the perturbed log-odds of every chain."""
    graph = as_graph(work.model)
    pairs, tables = graph.factors[0].pair_tables()
    odds = graph.unaries[:, 1] - graph.unaries[:, 0]
    draws = jax.vmap(lambda number: noise(key, number, odds.size))(jnp.arange(work.chains))
    return np.asarray(pairs), np.asarray(tables), np.asarray(odds + draws)
