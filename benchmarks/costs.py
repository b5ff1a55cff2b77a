"""Costs other than sweeps: building graphs, compiling, and compiling again after a number has changed."""

from functools import cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from pmp_kit.course.experiments.speed import timing, workloads
from pmp_kit.factors import Edges
from pmp_kit.graph import FactorGraph
from pmp_kit.noise import Gumbel
from pmp_kit.samplers import PMP
from pmp_kit.variables import Binary, Variables

EDGES = {"full": 400_000, "quick": 2_000}
COMPILED = "/jax/core/compile/backend_compile_duration"


def building(profile: str) -> list[float]:
    """Seconds of five builds of a graph of random edges from new arrays, with a quarter as many variables as edges."""
    number, found = EDGES[profile], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        first = rng.integers(0, number // 4, number)
        pairs = np.stack([first, (first + rng.integers(1, number // 4, number)) % (number // 4)], 1)
        weight = rng.normal(size=number)

        def build(pairs=pairs, weight=weight):
            variables = Variables(x=Binary(number // 4))
            jax.block_until_ready(FactorGraph(variables, [Edges(pairs, weight)]))

        found.append(timing.timed(build))
    return found


def recompilations(profile: str) -> int:
    """Count the compilations after changes of sweeps, hyper-parameters and weights on every workload."""
    count = 0
    for name in workloads.BUILDERS:
        work, key = workloads.build(name, profile), jax.random.key(workloads.SEED)
        changes = [(PMP(), 2), (PMP(damping=0.3), 5), (PMP(start="zero", tolerance=0.0), 3), (PMP(keep_best=False), 4)]
        changes += [(PMP(patience=2), 4), (PMP(noise=Gumbel(scale=0.7)), 4)]
        other = work._replace(model=scaled(work.model, 1.1))
        work.sample(key, *changes[0])
        before = compilations()
        for sampler, num_sweeps in changes:
            for one in (work, other):
                one.sample(key, sampler, num_sweeps)
        count += compilations() - before
    return count


def scaled(model, share: float):
    """The model with all its parameters multiplied."""
    floats, rest = eqx.partition(model, eqx.is_inexact_array)
    return eqx.combine(jax.tree.map(lambda leaf: leaf * jnp.asarray(share, leaf.dtype), floats), rest)


def compilations() -> int:
    """The number of programs that JAX has compiled since the first call of this function."""
    return len(_compiled())


@cache
def _compiled() -> list[str]:
    """A list that grows by one with every compilation."""
    seen: list[str] = []

    def listen(event: str, duration_secs: float, **kwargs) -> None:
        if event == COMPILED:
            seen.append(event)

    jax.monitoring.register_event_duration_secs_listener(listen)
    return seen
