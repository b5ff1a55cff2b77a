"""Section 5.1: the limit of the Bethe approximation, the counts of spins that are up, and the picture of the page."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.wrong_model import figures, learn


@pytest.mark.parametrize("theta", [0.0, 0.2, 0.5])
def test_the_correlation_is_that_of_the_models_moments(theta):
    p = np.asarray(pk.exact.probabilities(pk.CompleteIsing(theta)))
    spins = 2 * pk.exact.states(pk.CompleteIsing(theta).graph().variables)["x"] - 1
    assert learn.correlation(theta) == pytest.approx(p @ (spins[:, 0] * spins[:, 1]), abs=1e-6)


def test_at_the_limit_the_correlation_is_one_half():
    assert learn.correlation(learn.bethe_limit()) == pytest.approx(0.5, abs=1e-5)
    assert np.exp(8 * learn.bethe_limit()) == pytest.approx(4 * np.exp(2 * learn.bethe_limit()) + 5, rel=1e-4)


def test_spins_up_are_counted():
    np.testing.assert_allclose(learn.ups(np.full(16, 1 / 16)), np.array([1, 4, 6, 4, 1]) / 16)


def test_learning_goes_from_zero_by_one_step_of_adam_after_the_other():
    theta = learn.run(seed=40, steps=3)["theta"]
    assert theta.shape == (3,)
    np.testing.assert_allclose(np.diff(theta, prepend=0.0), learn.RATE, atol=2e-3)


def test_the_picture_shows_every_path_and_every_distribution(drawn):
    paths = [np.linspace(0, end, 200) for end in (0.33, 0.35)]
    ups = {name: np.roll([0.4, 0.3, 0.1, 0.1, 0.1], k) for k, name in enumerate(figures.LOOKS)}
    figures.figure(paths, ups)
    left, right = ([line.get_ydata() for line in axes.lines] for axes in drawn[0].figure.axes)
    np.testing.assert_array_equal(left[:2], paths)
    np.testing.assert_array_equal(right, list(ups.values()))
