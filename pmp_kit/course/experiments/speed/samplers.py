"""All samplers of the package that make sweeps, each with a suitable workload."""

from collections.abc import Callable

import jax

from ....samplers import (
    PMP,
    AbstractSampler,
    DiscreteLangevin,
    Gibbs,
    GibbsWithGradients,
    ParallelTempering,
    PersistentPMP,
    PerturbAndMAP,
    RandomScanGibbs,
)
from ....samplers.colouring import colours
from ....solvers import MPLP, Alternating, MaxProduct, Polished, Portfolio, SumProduct
from . import timing, workloads
from .workloads import Workload

SOLVER = MaxProduct(tolerance=0.0)
SAMPLERS: dict[str, tuple[str, Callable[[Workload], AbstractSampler]]] = {
    "PMP()": ("lattice", lambda work: PMP(tolerance=0.0)),
    "PersistentPMP()": ("lattice", lambda work: PersistentPMP(solver=SOLVER)),
    "PMP, two solvers": ("lattice", lambda work: PerturbAndMAP(Portfolio(SOLVER, SOLVER))),
    "PMP, polished": ("lattice", lambda work: PerturbAndMAP(Polished(SOLVER))),
    "perturbed SumProduct()": ("lattice", lambda work: PerturbAndMAP(SumProduct(tolerance=0.0))),
    "perturbed MPLP()": ("lattice", lambda work: PerturbAndMAP(MPLP(tolerance=0.0))),
    "Gibbs()": ("lattice", lambda work: Gibbs()),
    "Gibbs(colours)": ("lattice", lambda work: Gibbs(blocks=colours(work.model))),
    "RandomScanGibbs()": ("lattice", lambda work: RandomScanGibbs()),
    "GibbsWithGradients()": ("lattice", lambda work: GibbsWithGradients()),
    "DiscreteLangevin()": ("lattice", lambda work: DiscreteLangevin()),
    "ParallelTempering()": ("lattice", lambda work: ParallelTempering()),
    "Gibbs() ": ("dense", lambda work: Gibbs()),
    "DiscreteLangevin() ": ("dense", lambda work: DiscreteLangevin()),
    "PMP(alternating)": ("rbm", lambda work: PMP(schedule=Alternating(), tolerance=0.0)),
    "Gibbs(h, v)": ("rbm", lambda work: Gibbs(blocks=("h", "v"))),
}
"""Printed name -> the workload, and a function that builds its sampler. The samplers never stop early."""


def measure(name: str, profile: str, rounds: int, seconds: float) -> dict:
    """Measure the first call of one sampler, and its milliseconds per sweep."""
    place, make = SAMPLERS[name]
    work, key = workloads.build(place, profile), jax.random.key(workloads.SEED)
    sampler = make(work)
    first = timing.timed(work.sample, key, sampler, timing.FEW)
    times = timing.sweep_times({name: lambda number: work.sample(key, sampler, number)}, rounds, seconds)
    return {"workload": place, "first_s": first, "ms": times[name]}
