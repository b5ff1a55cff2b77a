"""Section 5.1: the limit of the Bethe approximation, and learning by steps of Adam."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.wrong_model import learn


@pytest.mark.parametrize("theta", [0.0, 0.2, 0.5])
def test_the_correlation_is_that_of_the_models_moments(theta):
    p = np.asarray(pk.exact.probabilities(pk.CompleteIsing(theta)))
    spins = 2 * pk.exact.states(pk.CompleteIsing(theta).graph().variables)["x"] - 1
    assert learn.correlation(theta) == pytest.approx(p @ (spins[:, 0] * spins[:, 1]), abs=1e-6)


def test_at_the_limit_the_correlation_is_one_half():
    assert learn.correlation(learn.bethe_limit()) == pytest.approx(0.5, abs=1e-5)
    assert np.exp(8 * learn.bethe_limit()) == pytest.approx(4 * np.exp(2 * learn.bethe_limit()) + 5, rel=1e-4)


def test_learning_goes_from_zero_by_one_step_of_adam_after_the_other():
    theta = learn.run(seed=40, steps=3)["theta"]
    assert theta.shape == (3,)
    np.testing.assert_allclose(np.diff(theta, prepend=0.0), learn.RATE, atol=2e-3)
