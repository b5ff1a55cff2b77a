"""Perturbation lab: shares, formulas and bounds agree with enumeration."""

import numpy as np
import pytest
from reading import read

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.noise import compute
from pmp_kit.course.explore.noise.models import FAMILIES, MODELS, MOST_DRAWS, noise


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
        ("one variable, 2 states", "logistic on state 0"),
        ("one variable, 3 states", "Gumbel"),
        ("two spins", "Gumbel"),
        ("two spins", "logistic on state 0"),
    ],
)
@pytest.mark.parametrize("coupling", [-0.6, 0.9])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_shares_meet_the_formula(model, family, coupling, scale):
    state = compute.state(model, coupling, family, scale, MOST_DRAWS, 1)
    error = 4.5 * np.sqrt(state.formula * (1 - state.formula) / MOST_DRAWS)
    assert (np.abs(state.shares - state.formula) < error).all()
    if model != "two spins" and scale == 1.0:
        np.testing.assert_allclose(state.formula, state.gibbs, atol=1e-6)


def test_the_two_spin_formula():
    agree = 1 - 2 / (1 + np.exp(2 * 0.5)) ** 2
    state = compute.state("two spins", 0.5, "Gumbel", 1.0, 100, 0)
    np.testing.assert_allclose(state.formula, [agree / 2, (1 - agree) / 2, (1 - agree) / 2, agree / 2])


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


def test_fewer_samples_are_the_first_of_more():
    state = compute.state("one variable, 3 states", 0.3, "Gaussian", 1.0, 200, 3)
    draws = np.asarray(noise("Gaussian", 3))[:200].reshape(200, 4, 3)[:, 0]
    best = (0.3 * np.arange(3) + draws).argmax(1)
    np.testing.assert_allclose(state.shares, np.bincount(best, minlength=3) / 200, atol=1e-6)


def test_the_error_of_the_maximum_is_that_of_the_chosen_samples():
    for samples in (200, 5_000):
        state = compute.state("one variable, 3 states", 0.3, "Gaussian", 1.0, samples, 3)
        draws = np.asarray(noise("Gaussian", 3), float)[:samples].reshape(samples, 4, 3)[:, 0]
        highest = (0.3 * np.arange(3) + draws).max(1)
        np.testing.assert_allclose(state.mean_max, highest.mean(), rtol=1e-4)
        np.testing.assert_allclose(state.error, highest.std() / np.sqrt(samples), rtol=1e-4)


def test_the_first_draw_is_the_first_of_the_samples():
    state = explore.PerturbationLab(model="two spins", coupling=0.9, samples=100).state
    draws = np.asarray(noise("Gumbel", 0))[0]
    np.testing.assert_allclose(state.added, draws @ MODELS["two spins"].chosen[:4].T, rtol=1e-5)
    np.testing.assert_allclose(state.draw, draws.reshape(4, 3)[:2, :2])
    np.testing.assert_allclose(state.scores, [0.9, -0.9, -0.9, 0.9], rtol=1e-6)


def test_the_first_picture_does_not_contradict_the_bound():
    """For one variable the mean of the maxima is log Z, and two standard errors of it reach log Z."""
    lab = explore.PerturbationLab(model="one variable, 3 states", coupling=1.0)
    assert lab.state.samples == MOST_DRAWS
    assert abs(lab.state.excess) < 2 * lab.state.error < 0.02
    assert f"± {2 * lab.state.error:.3f} nats" in lab.says(lab.state)


@pytest.mark.parametrize("model", ["one variable, 3 states", "two spins", "four spins"])
def test_an_equation_lights_up_each_bar_and_the_column_of_the_maximiser(model):
    lab = explore.PerturbationLab(model=model, coupling=0.9)
    parts, count = read(lab).parts, len(lab.state.labels)
    assert {name: len(marks) for name, marks in parts.items()} == {
        **dict.fromkeys(("shares", "score", "noise"), count), **dict.fromkeys(("maximiser", "mean", "partition"), 1),
    }  # fmt: skip
    assert set(parts) == set(lab.parts)
