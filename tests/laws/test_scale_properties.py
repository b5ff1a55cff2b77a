"""What solvers and samplers promise holds for random pairs whose scores mix 1e-3 to 1e6 nats in one model."""

import os

import jax
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sampler_examples import EXAMPLES
from scale_models import BATCH, Case, check_answer
from slow_parameters import some

import pmp_kit as pk

pytestmark = pytest.mark.slow  # also in `make trust`
KEY = jax.random.key(0)
SEEDS = st.integers(0, 2**32 - 1)
LEVELS, FORBIDDEN = st.sampled_from(["binary", "ternary", "mixed"]), st.sampled_from([0.0, 0.1, 0.4])
CASES = settings(
    max_examples=100 if os.environ.get("PMP_TEST_TRUST") == "1" else 10,
    deadline=None, derandomize=True, database=None, phases=[Phase.generate],
)  # fmt: skip
"""Without shrinking, because a smaller seed is not a simpler case. `make trust` runs many."""
EXACT = {"tree pass": ("tree", pk.TreePass()), "exhaustive": ("loops", pk.Exhaustive())}
SOLVERS = {
    "max-product": pk.MaxProduct(),
    "max-product, the last decoded state": pk.MaxProduct(0.0, start="zero", keep_best=False),
    "max-product, alternating": pk.MaxProduct(schedule=pk.Alternating()),
    "max-product, random": pk.MaxProduct(schedule=pk.RandomMask(KEY), start=pk.RandomStart(KEY, 1e3)),
    "sum-product": pk.SumProduct(),
    "sum-product, cold": pk.SumProduct(1e-4, damping=0.0),
    "coordinate ascent": pk.CoordinateAscent(),
    "polished": pk.Polished(pk.MaxProduct()),
    "linear program": pk.LinearProgram(),
    "MPLP": pk.MPLP(),
    "portfolio": pk.Portfolio(pk.MPLP(), pk.LinearProgram()),
}
SAMPLERS = {example.name: example.make for example in EXAMPLES} | {
    "forward-backward": lambda model: pk.ForwardBackward(),
    "exact perturb-and-MAP of trees": lambda model: pk.PerturbAndMAP(pk.TreePass()),
}
OF_TREES = ("forward-backward", "exact perturb-and-MAP of trees")


@pytest.mark.parametrize("name", some(EXACT, {"tree pass"}))
@CASES
@given(LEVELS, SEEDS, FORBIDDEN)
def test_exact_solvers(name, levels, seed, forbidden):
    wiring, solver = EXACT[name]
    check_answer(Case(wiring, levels, seed, forbidden=forbidden), solver, exact=True)


@CASES
@given(SEEDS)
def test_cuts(seed):
    check_answer(Case("loops", "binary", seed, attractive=True), pk.MaxFlow(), exact=True)


@pytest.mark.parametrize("name", some(SOLVERS, {"max-product"}))
@CASES
@given(LEVELS, SEEDS, FORBIDDEN)
def test_solvers(name, levels, seed, forbidden):
    check_answer(Case("loops", levels, seed, forbidden=forbidden), SOLVERS[name], exact=False)


@pytest.mark.parametrize("name", some(SAMPLERS, {"PMP"}))
@CASES
@given(SEEDS, FORBIDDEN)
def test_samplers_keep_evidence(name, seed, forbidden):
    """Also chains that go on with other evidence. States and scores are numbers."""
    case = Case("tree" if name in OF_TREES else "loops", "mixed", seed, forbidden=forbidden)
    sampler, chains = SAMPLERS[name](case.graph), None
    for known in (case.evidence, case.evidence[::-1]):
        evidence = case.graph.variables.unflatten(known)
        options = {"num_samples": BATCH, "num_sweeps": 5, "evidence": evidence, "previous": chains}
        samples = pk.sample(KEY, case.graph, sampler, **options)
        states = case.graph.variables.flatten(samples)
        np.testing.assert_array_equal(states[known != pk.FREE], known[known != pk.FREE])
        assert ((states >= 0) & (states < case.sizes)).all()
        assert not np.isnan(pk.score(case.graph, samples)).any()
        chains = samples.chains if sampler.is_markov_chain else None
