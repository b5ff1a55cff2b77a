"""Examples of all samplers. Every sampler test runs on every example, so a new sampler needs one row here."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from slow_parameters import some
from symmetric import symmetric

import pmp_kit as pk

FALSE_ALARM = 1e-4
"""The level of a chi-square test. A correct sampler fails with this probability, 1 in 10,000."""


def small_ising(scale=0.5, spins=6):
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(spins, spins), scale=scale)
    return pk.Ising(symmetric(weight), rng.normal(size=spins))


def small_rbm():
    rng = np.random.default_rng(1)
    return pk.RBM(rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3), visible=(2, 2))


def small_potts():
    rng = np.random.default_rng(2)
    variables = pk.Variables(x=pk.Categorical(3, states=3), y=pk.Binary(2))
    factors = [
        pk.EdgeTables([[0, 1], [1, 2], [2, 0]], rng.normal(size=(3, 3))),
        pk.EdgeTables([[2, 3]], rng.normal(size=(3, 2))),
        pk.Edges([[3, 4]], 1.0),
    ]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=(3, 3))})


class SamplerExample(NamedTuple):
    """A function that makes a sampler for a model, and the sweeps for mixing if its chains leave p(x) invariant."""

    name: str
    make: Callable
    mixes_in: int | None


EXAMPLES = [
    SamplerExample("PMP", lambda model: pk.PMP(), None),
    SamplerExample("exact perturb-and-MAP", lambda model: pk.PerturbAndMAP(pk.Exhaustive()), None),
    SamplerExample("perturb-and-coordinate-ascent", lambda model: pk.PerturbAndMAP(pk.CoordinateAscent()), None),
    SamplerExample("persistent PMP", lambda model: pk.PersistentPMP(), None),
    SamplerExample("Gibbs", lambda model: pk.Gibbs(), 15),
    SamplerExample("Gibbs by colours", lambda model: pk.Gibbs(pk.colours(model)), 15),
    SamplerExample("random-scan Gibbs", lambda model: pk.RandomScanGibbs(), 20),
    SamplerExample("Gibbs-with-gradients", lambda model: pk.GibbsWithGradients(), 15),
    SamplerExample("discrete Langevin", lambda model: pk.DiscreteLangevin(step_size=2.0), 40),
    SamplerExample("warm start", lambda model: pk.WarmStart(start_sweeps=5), 15),
    SamplerExample("parallel tempering", lambda model: pk.ParallelTempering((1.0, 2.0, 4.0)), 10),
]
QUICK = ("PMP", "persistent PMP", "Gibbs")
"""The examples on which costly tests run in `make test`, one of each kind. `make test-all` runs them on all."""
CHAINS = [example for example in EXAMPLES if example.mixes_in]
MODELS = {"ising": small_ising(), "rbm": small_rbm(), "potts": small_potts()}


def each_slowly(examples):
    """Parametrise a costly test over examples. Those that are not in QUICK are marked as slow."""
    quick = {example.name for example in examples} & set(QUICK)
    return pytest.mark.parametrize("example", some(examples, quick, name=lambda one: one.name))


def chi_square(model, samples, evidence=None) -> float:
    """p-value of samples against the exact distribution."""
    p = np.asarray(pk.exact.probabilities(model, evidence), float)
    variables = model.graph().variables
    return chi_square_of_counts(np.bincount(pk.exact.index_of(variables, samples), minlength=p.size), p)


def chi_square_of_counts(counts, p) -> float:
    """p-value of counts against probabilities. Cells with less than 5 expected counts are joined."""
    expected = p / p.sum() * counts.sum()
    rare = expected < 5
    expected = np.append(expected[~rare], expected[rare].sum())
    counts = np.append(counts[~rare], counts[rare].sum())
    keep = expected > 0
    assert counts[~keep].sum() == 0, "a sample that cannot be"
    return stats.chisquare(counts[keep], expected[keep]).pvalue
