"""The cost of a message from a thousand edges to a million, beside a copy of the same size, and a call's own time."""

import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.course.experiments.speed import scaling, timing
from pmp_kit.course.experiments.speed.workloads import ALGORITHM_1, SEED, random_couplings

CHAINS = 20
EDGES = {"full": (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000), "quick": (100, 200)}
ROUNDS = {"full": 5, "quick": 2}
CALLS = {"full": 20, "quick": 1}
IN_A_ROW = 20


def lattice(edges: int) -> pk.FactorGraph:
    """A periodic square lattice with about this many edges, with the couplings of Section 5.4."""
    return pk.ising_lattice(max(3, round(np.sqrt(edges / 2))), coupling=-0.2)


def random_graph(edges: int) -> pk.FactorGraph:
    """A random graph of mean degree 4 with couplings N(0, 1), its edges ordered by their first variable."""
    rng, variables = np.random.default_rng(0), edges // 2
    first = rng.integers(0, variables, edges)
    pairs = np.stack([first, (first + rng.integers(1, variables, edges)) % variables], axis=1)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return random_couplings(rng, variables, pairs)


GRAPHS = {"lattice": lattice, "random graph": random_graph}


def costs(profile: str, seconds: float) -> dict[str, list[dict]]:
    """For each graph and size: the messages of a sweep of all chains, its milliseconds, and the copy's nanoseconds."""
    found: dict[str, list[dict]] = {}
    for name, build in GRAPHS.items():
        found[name] = []
        for edges in EDGES[profile]:
            graph = build(edges)
            messages = 2 * graph.factors[0].pairs.shape[1] * CHAINS

            def run(number, graph=graph):
                return pk.sample(jax.random.key(SEED), graph, ALGORITHM_1, num_samples=CHAINS, num_sweeps=number)

            rows: dict[str, list[float]] = {"ms": [], "copy_ns": []}
            for _ in range(ROUNDS[profile]):
                rows["ms"] += timing.sweep_times({"kit": run}, 1, seconds)["kit"]
                rows["copy_ns"].append(timing.copy_8_bytes(4 * messages))
            found[name].append({"edges": edges, "messages": messages, **rows})
    return found


def exponent(rows: list[dict], most: int = 64_000) -> float:
    """The exponent of the power law that fits the time of a sweep up to `most` edges."""
    kept = [row for row in rows if row["edges"] <= most]
    return scaling.exponent({"size": [row["messages"] for row in kept], "ms": [row["ms"] for row in kept]})


def calls(profile: str) -> dict[str, list[float]]:
    """Milliseconds of whole calls on a 5 x 5 lattice with 8 samples and 10 sweeps.

    IN_A_ROW calls of one function follow each other. The first call after another function takes 0.03 to 0.1 ms longer.
    """
    graph, key = pk.ising_lattice(5), jax.random.key(SEED)
    runs = {
        "sample": lambda: pk.sample(key, graph, num_samples=8, num_sweeps=10),
        "trace": lambda: pk.trace(key, graph, num_samples=8, num_sweeps=10),
        "solve": lambda: pk.solve(graph, num_sweeps=10),
    }
    found: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(CALLS[profile]):
        for name, run in runs.items():
            found[name] += [1e3 * timing.timed(run) for _ in range(IN_A_ROW)]
    return found
