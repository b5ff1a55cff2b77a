"""Perturbation lab: shares, formulas and bounds agree with enumeration."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.noise import compute
from pmp_kit.course.explore.noise.models import FAMILIES, MODELS, MOST_DRAWS


@pytest.mark.parametrize("model", MODELS)
def test_gibbs_and_log_partition_are_exact(model):
    state = compute.state(model, 0.7, "Gumbel", 1.0, 1_000, 0)
    if "spins" in model:
        spins = {"two": 2, "three": 3, "four": 4}[model.split()[0]]
        graph = pk.CompleteIsing(0.7, spins=spins)
        np.testing.assert_allclose(state.gibbs, pk.exact.probabilities(graph), atol=1e-5)
    assert abs(state.gibbs.sum() - 1) < 1e-5
    assert abs(state.shares.sum() - 1) < 1e-5


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("one variable, 2 states", "Gumbel"),
        ("one variable, 3 states", "Gumbel"),
        ("two spins", "Gumbel"),
        ("two spins", "logistic on state 0"),
    ],
)
@pytest.mark.parametrize(("coupling", "scale"), [(-0.6, 0.5), (0.9, 1.0)])
def test_shares_meet_the_formula(model, family, coupling, scale):
    state = compute.state(model, coupling, family, scale, MOST_DRAWS, 1)
    error = 4.5 * np.sqrt(state.formula * (1 - state.formula) / MOST_DRAWS)
    assert (np.abs(state.shares - state.formula) < error).all()
    if model != "two spins" and scale == 1.0:
        np.testing.assert_allclose(state.formula, state.gibbs, atol=1e-6)


def test_states_that_noise_leaves_equal_share_their_draws():
    """The first of them got all."""
    lab = explore.PerturbationLab(model="one variable, 3 states", distribution="logistic on state 0", coupling=0)
    shares = lab.state.shares
    assert shares[1] == shares[2] > 0.2
    assert shares.sum() == pytest.approx(1.0)


def test_with_three_states_only_gumbel_gives_the_softmax():
    distances = {
        family: compute.state("one variable, 3 states", 1.0, family, 1.0, MOST_DRAWS, 0).distance for family in FAMILIES
    }
    assert distances.pop("Gumbel") < 0.01
    assert min(distances.values()) > 0.015


@pytest.mark.parametrize("model", MODELS)
def test_gumbel_noise_bounds_log_partition(model):
    state = compute.state(model, 0.8, "Gumbel", 1.0, MOST_DRAWS, 0)
    assert state.excess > -3 * state.error
    if "one variable" in model:
        assert abs(state.excess) < 3 * state.error
