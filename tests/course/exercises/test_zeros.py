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


def test_the_last_number_is_only_the_last_that_was_tried():
    """It passed with "From 100 sweeps on, the differences are within twice their error", those from itself."""
    verdict = check_enough_sweeps(100, full_size.load().tested["Gibbs"][0])
    assert verdict
    assert "may still fall" in verdict.message


@pytest.mark.parametrize("answer", SWEEPS)
def test_samples_that_get_worse_have_not_settled(answer):
    """The solution says so of Gibbs sampling with new chains."""
    verdict = check_enough_sweeps(answer, full_size.load().tested["Gibbs, reset"][0])
    assert not verdict
    assert "have not settled" in verdict.message
    assert np.flatnonzero(verdict.picture.wrong).tolist() == [3]
