"""The exercise of page 06: a better answer passes, and the usual mistakes are named."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import exercises
from pmp_kit.course.exercises import wrong_model


def test_only_differences_beyond_the_error_of_counting_are_marked():
    data = np.array([0.4, *[0.2 / 14] * 14, 0.4])
    shifted = data + 0.03 * (np.arange(16) == 0) - 0.03 * (np.arange(16) == 15) + 0.002 * (np.arange(16) == 3)
    picture = wrong_model._judge(data, shifted - 0.002 * (np.arange(16) == 1)).picture
    assert picture is not None
    assert np.flatnonzero(picture.wrong).tolist() == [0, 4]
    np.testing.assert_allclose(picture.given, [0.43, 0.8 / 14 - 0.002, 1.2 / 14 + 0.002, 0.8 / 14, 0.37])


@pytest.mark.parametrize(
    ("theta", "sampler", "says"),
    [
        pytest.param(0.335, pk.PMP(**pk.paper_settings(start="neutral")), "times as large", marks=pytest.mark.slow),
        (0.335, pk.PMP(), "times as large"),
        (0.331, pk.PMP(**pk.paper_settings()), "treat the two states differently"),
        pytest.param(0.5, pk.PMP(), "theta is too large", marks=pytest.mark.slow),
        pytest.param(0.2, pk.PMP(), "theta is too small", marks=pytest.mark.slow),
        (0.5, pk.Gibbs(), "you gave Gibbs"),
        (0.335, pk.PerturbAndMAP(pk.Exhaustive()), "must be MaxProduct alone"),
        (0.335, pk.PMP(schedule=pk.Alternating()), "does not run on four spins. schedule: expected factors to"),
        (None, pk.PMP(), "theta must be one number"),
    ],
)
def test_better_match(theta, sampler, says):
    verdict = exercises.check_better_match(theta, sampler)
    assert says in verdict.message
    assert verdict.passed == (says == "times as large")
