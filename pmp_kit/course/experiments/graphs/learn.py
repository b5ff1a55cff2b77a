"""Section 5.4, Appendices A and B.1: learning lattices and random graphs, with chains reset or persistent.

The true model is p(s) ~ exp(s'Ws + b's), s in {-1, +1}^n. Each pair is counted twice as in Appendix B.1, and the sign
is that of the authors' code. All entries of W and b are learned. The methods do not get the connected pairs.
"""

import functools
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .... import measures
from ....factors import DensePairwise
from ....graph import FactorGraph
from ....learning.fit import fit
from ....learning.moments import data_moments
from ....measures import mmd as metrics
from ....models import spins_to_binary
from ....sample import sample
from ....samplers import PMP, Gibbs, PersistentPMP
from ....variables import Binary, Variables
from .. import adam, pieces
from .data import GRAPHS, LATTICE, RANDOM, data, truth
from .single_updates import DenseGibbsWithGradients, FewGibbs

METHODS = ("PMP", "Gibbs", "Gibbs-with-gradients")
RATE, L1, CHAINS, PERSISTENT_CHAINS = 0.001, 0.01, 20, 256
"""Learning rate of Adam; weight of the penalty sum |W_ij|; reset chains and persistent chains (the authors' code)."""


def each(pmp: int, gibbs: int, gibbs_with_gradients: int) -> dict[str, int]:
    """Return a number for each method."""
    return dict(zip(METHODS, (pmp, gibbs, gibbs_with_gradients), strict=True))


SIZES = {
    "quick": {
        "nodes": {LATTICE: 49, RANDOM: 49},
        "samples": 2000,
        "mixing": {LATTICE: 1600, RANDOM: 1600},
        "rate": 0.005,
        "reset": {LATTICE: each(100, 100, 100), RANDOM: each(150, 150, 150)},
        "persistent": {LATTICE: each(100, 100, 100), RANDOM: each(150, 150, 150)},
        "draws": 2000,
        "sweeps": (5,),
        "updates": (20,),
        "warm": (1, 5, 20),
        "seeds": dict.fromkeys(GRAPHS, each(1, 1, 1)),
    },
    "paper": {
        "nodes": {LATTICE: 625, RANDOM: 200},
        "samples": 2000,
        "mixing": {LATTICE: 1600, RANDOM: 12_800},
        "rate": RATE,
        "reset": dict.fromkeys(GRAPHS, each(1000, 1000, 1000)),
        "persistent": dict.fromkeys(GRAPHS, each(2000, 20_000, 12_000)),
        "draws": 2000,
        "sweeps": (5, 10, 25, 50, 100),
        "updates": (5, 10, 25, 50, 100),
        "warm": (1, 2, 5, 10, 25),
        "seeds": {LATTICE: each(5, 5, 1), RANDOM: each(5, 5, 5)},
    },
}
"""Sizes of a profile. "reset" and "persistent" are iterations with reset and persistent chains; the paper has 1,000 and
100,000. "seeds" are the numbers of seeds with reset chains.
"""


class SpinIsing(eqx.Module):
    """A fully connected Ising model with spins, score s'Ws + b's, s in {-1, +1}^n (Appendix B.1); W_ii is not used."""

    weight: Float[Array, "n n"]
    bias: Float[Array, " n"]

    def graph(self) -> FactorGraph:
        weight, bias, _ = spins_to_binary(self.weight + self.weight.T, self.bias)
        variables = Variables(x=Binary(self.bias.size))
        return FactorGraph(variables, [DensePairwise(variables["x"], weight)], {"x": bias})


def sampler_of(method: str, nodes: int, updates: int | None = None, rho: float | None = None):
    """Return the sampler of a method. Gibbs samplers make `updates` updates; PMP with `rho` has AR(1) noise."""
    if method == "PMP":
        return PMP() if rho is None else PersistentPMP(rho)
    if method == "Gibbs":
        return Gibbs() if updates is None else FewGibbs(updates)
    if method == "Gibbs-with-gradients":
        return DenseGibbsWithGradients(updates or nodes)
    raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}; give a new one its sampler here")


def run(
    graph: str, nodes: int, method: str, sweeps: int, iterations: int, seed: int, samples: int, mixing: int,
    rate: float = RATE, draws: int = 2000, chains: int = CHAINS, updates: int | None = None, rho: float | None = None,
    test_sweeps: int | None = None,
) -> dict:  # fmt: skip
    """Learn from data with one method, draw samples with the same method, and evaluate them.

    Args:
        graph, nodes, samples, mixing: arguments of `data`.
        sweeps: sweeps in each learning step. They are also the sweeps for drawing if `test_sweeps` is None.
        iterations: steps of Adam.
        draws: number of samples to evaluate.
        chains: chains in each learning step.
        updates: number of single-variable updates in each step, instead of sweeps. The chains are persistent.
        rho: the parameter of persistent PMP (Appendix A).

    Returns: the numbers of `judged`; "train_s" and "test_s" by `clock`, without compilation; "sweeps" for drawing;
        "weight", (nodes, nodes) float16; "iterations"; "drawn", the first nine samples.
    """
    start = SpinIsing(jnp.zeros((nodes, nodes)), jnp.zeros(nodes))
    options = {
        "optimizer": adam(rate), "num_chains": chains, "num_sweeps": sweeps if updates is None else 1,
        "persistent": updates is not None or rho is not None, "moments": moments(graph, nodes, samples, mixing),
        "l1": L1 / 4,  # the penalty acts on the {0,1} weights, 8 W, and counts w_ij and w_ji once
    }  # fmt: skip
    sampler, key = sampler_of(method, nodes, updates, rho), jax.random.key(seed)
    fit(key, start, sampler=sampler, steps=2, **options)  # compiles the first step and a step with previous chains
    begin = clock()
    learned = jax.block_until_ready(fit(key, start, sampler=sampler, steps=iterations, **options).model)
    train_s = clock() - begin
    drawer, number = sampler_of(method, nodes), test_sweeps or sweeps
    draw = functools.partial(sample, jax.random.fold_in(key, 1), learned, drawer, num_samples=draws)
    draw(num_sweeps=1)
    begin = clock()
    drawn = draw(num_sweeps=number)["x"]
    test_s = clock() - begin
    result = judged(drawn, learned.weight, graph, nodes, samples, mixing)
    weight = np.asarray((learned.weight + learned.weight.T) / 2, np.float16)
    done = {"train_s": train_s, "test_s": test_s, "sweeps": number, "iterations": iterations}
    return result | done | {"weight": weight, "drawn": drawn[:9]}


def clock() -> float:
    """Return CPU seconds of this process on a CPU, which other processes do not change, else wall-clock seconds."""
    return time.process_time() if jax.default_backend() == "cpu" else time.perf_counter()


@functools.cache
def moments(graph: str, nodes: int, samples: int, mixing: int):
    """Return the moments of the training data."""
    empty = SpinIsing(jnp.zeros((nodes, nodes)), jnp.zeros(nodes))
    return data_moments(empty, {"x": data(graph, nodes, samples, mixing)["train"]})


def judged(drawn, weight, graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Compare samples with held-out data, and W with the true W.

    Returns: "mmd" (U-statistic) and "null" (its standard deviation for a perfect sampler), for each scale of `metrics`;
        "log_mmd", the authors' metric: log of the V-statistic at scale 1, here against held-out data; "second", the
        error of the second moments; "rmse", the root mean square error of all entries of W.
    """
    held_out = data(graph, nodes, samples, mixing)["held_out"]
    found = metrics.mmd_panel(np.asarray(drawn), held_out)
    second = measures.moment_errors(np.asarray(drawn), held_out).second
    gap = np.asarray((weight + weight.T) / 2) - truth(graph, nodes)[0]
    return {
        "mmd": np.array([d.u for d in found]),
        "null": np.array([d.null for d in found]),
        "log_mmd": float(np.log(found[0].v)),
        "second": second,
        "rmse": float(np.sqrt(np.mean(gap**2))),
    }


def references(graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Evaluate two references: name -> `judged`, for the training data and for pixels without couplings."""
    known = data(graph, nodes, samples, mixing)["train"]
    alone = metrics.independent_pixels(jax.random.key(3), known, samples)
    true, none = truth(graph, nodes)[0], np.zeros((nodes, nodes))
    arguments = graph, nodes, samples, mixing
    return {"real data": judged(known, true, *arguments), "independent pixels": judged(alone, none, *arguments)}


def common(profile: str, chains: str, graph: str, method: str, seed: int) -> dict:
    """Return the settings of a method on a graph. `chains` is "reset" or "persistent"."""
    size = SIZES[profile]
    shared = {name: size[name] for name in ("samples", "rate", "draws")}
    own = {name: size[name][graph] for name in ("nodes", "mixing")} | {"iterations": size[chains][graph][method]}
    return shared | own | {"graph": graph, "method": method, "seed": seed}


def reset(profile: str, seed: int) -> list[dict[tuple, dict]]:
    """Compute Figure 2, left, and Figure 5: the chains are reset in each step.

    Returns: for `seed` and each later seed, (graph, method, sweeps) -> the result of `run`.
    """
    size = SIZES[profile]
    places = [(g, m, s) for g in GRAPHS for s in size["sweeps"] for m in METHODS]
    chosen = [(seed + k, *place) for place in places for k in range(size["seeds"][place[0]][place[1]])]
    settings = {
        f"{g}, {m}, {s} sweeps, seed {one}": common(profile, "reset", g, m, one) | {"sweeps": s}
        for one, g, m, s in chosen
    }
    found: dict[int, dict] = {}
    for (one, *place), result in zip(chosen, pieces(run, settings).values(), strict=True):
        found.setdefault(one, {})[tuple(place)] = result
    return list(found.values())


def persistent(profile: str, seed: int) -> dict[tuple, dict]:
    """Compute Figure 2, middle and right: persistent chains with a few updates in each step. PMP draws new samples with
    the sweeps of the authors' code. All methods are tested with 50 sweeps. The quick profile has PMP and Gibbs on the
    lattice. Returns: (graph, method, updates) -> the result of `run`.
    """
    graphs, methods = (GRAPHS, METHODS) if profile == "paper" else (GRAPHS[:1], METHODS[:2])
    chosen = [(g, m, u) for u in SIZES[profile]["updates"] for g in graphs for m in methods]
    settings = {}
    for graph, method, updates in chosen:
        own = common(profile, "persistent", graph, method, seed) | {"test_sweeps": 50}
        if method == "PMP":
            sweeps, share = {LATTICE: (10, 4.5), RANDOM: (40, 10)}[graph]
            own |= {"sweeps": sweeps, "chains": int(share * updates**0.5)}
        else:
            own |= {"sweeps": 1, "chains": PERSISTENT_CHAINS, "updates": updates}
        settings[f"{graph}, {method}, {updates} updates, seed {seed}"] = own
    return dict(zip(chosen, pieces(run, settings).values(), strict=True))


def warm(profile: str, seed: int, graph: str, rhos) -> dict[tuple, dict]:
    """Appendix A: PMP (rho None) and persistent PMP. Returns: (rho, sweeps) -> the result of `run`."""
    chosen = [(rho, s) for s in SIZES[profile]["warm"] for rho in (None, *rhos)]
    settings = {}
    for rho, s in chosen:
        own = common(profile, "reset", graph, "PMP", seed) | {"sweeps": s, "test_sweeps": 50}
        settings[f"{graph}, PMP, rho {rho}, {s} sweeps, seed {seed}"] = own | ({} if rho is None else {"rho": rho})
    return dict(zip(chosen, pieces(run, settings).values(), strict=True))
