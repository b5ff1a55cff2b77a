"""Time PGMax on one pairwise problem, in a process of its own with PGMax and the kit's version of JAX.

`python pgmax_process.py PROBLEM.npz ROUNDS SECONDS` prints one line of JSON. A problem has the arrays pairs (E, 2),
tables (E, 2, 2) and odds (chains, n), which are the perturbed log-odds of all chains.
"""

import importlib
import json
import pathlib
import sys
import time
from types import SimpleNamespace

import jax
import jax.lib
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from pmp_kit.course.experiments.speed import timing

NAMES = ("fgraph", "fgroup", "infer", "vgroup")
if not hasattr(jax.lib, "xla_bridge"):  # PGMax 0.6.1 asks it for the platform; new versions of JAX do not have it
    backend = SimpleNamespace(platform=jax.default_backend())
    jax.lib.xla_bridge = SimpleNamespace(get_backend=lambda: backend)  # type: ignore


def prepare(problem):
    """Return a function that decodes all chains, (chains, n), after a number of sweeps. They run under `vmap`."""
    fgraph, fgroup, infer, vgroup = (importlib.import_module(f"pgmax.{name}") for name in NAMES)
    variables = vgroup.NDVarArray(num_states=2, shape=problem["odds"].shape[1:])
    graph = fgraph.FactorGraph(variable_groups=variables)
    pairs = [[variables[int(i)], variables[int(j)]] for i, j in problem["pairs"]]
    graph.add_factors(fgroup.PairwiseFactorGroup(pairs, problem["tables"].astype(np.float32)))
    inferer = infer.BP(graph.bp_state, temperature=0.0)
    evidence = np.stack([np.zeros_like(problem["odds"]), problem["odds"]], -1).astype(np.float32)

    def run(num_sweeps: int):
        def one(evidence):
            arrays = inferer.init(evidence_updates={variables: evidence})
            arrays = inferer.run(arrays, num_iters=num_sweeps, damping=0.5)
            return infer.decode_map_states(inferer.get_beliefs(arrays))[variables]

        return jax.jit(jax.vmap(one) if len(evidence) > 1 else lambda all: one(all[0])[None])

    compiled = {}

    def decode(num_sweeps: int) -> np.ndarray:
        if num_sweeps not in compiled:
            compiled[num_sweeps] = run(num_sweeps)
        return np.asarray(compiled[num_sweeps](evidence))

    return decode


def main(file: str, rounds: str, seconds: str) -> None:
    """Time building, the first call, a new number of sweeps and a sweep. Print the times and the decoded states."""
    problem = np.load(file)
    start = time.perf_counter()
    decode = prepare(problem)
    found: dict = {"building_s": time.perf_counter() - start}
    found["first_s"] = timing.timed(decode, timing.FEW)
    found["new_count_s"] = timing.timed(decode, timing.FEW + 1) - timing.timed(decode, timing.FEW + 1)
    found["ms"] = timing.sweep_times({"PGMax": decode}, int(rounds), float(seconds))["PGMax"]
    print(json.dumps({**found, "jax": jax.__version__, "states": decode(timing.FEW).tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
