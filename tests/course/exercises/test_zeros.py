"""The exercise on the number of sweeps that is enough: the answer passes, and fewer or more are told apart."""

import numpy as np
import pytest
from exercise_answers import ROW

from pmp_kit.course.exercises import check_enough_sweeps
from pmp_kit.course.experiments.zeros import full_size
from pmp_kit.course.experiments.zeros.learn import SWEEPS


@pytest.mark.parametrize(
    ("answer", "words"),
    [(25, "within twice"), (10, "still higher"), (100, "had stopped earlier"), (7, "must be one of 5, 10")],
)
def test_enough_sweeps(answer, words):
    verdict = check_enough_sweeps(answer, ROW)
    assert bool(verdict) == (answer == 25)
    assert words in verdict.message


@pytest.mark.parametrize("answer", SWEEPS)
def test_samples_that_get_worse_have_not_settled(answer):
    """The solution says so of Gibbs sampling with new chains."""
    verdict = check_enough_sweeps(answer, full_size.load().tested["Gibbs, reset"][0])
    assert not verdict
    assert "have not settled" in verdict.message
    assert np.flatnonzero(verdict.picture.wrong).tolist() == [3]
