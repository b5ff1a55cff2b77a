"""The exercise on the number of sweeps that is enough: the answer passes, and fewer or more are told apart."""

import pytest
from exercise_answers import ROW

from pmp_kit.course.exercises import check_enough_sweeps


@pytest.mark.parametrize(
    ("answer", "words"),
    [(25, "within twice"), (10, "still higher"), (100, "stopped falling earlier"), (7, "must be one of 5, 10")],
)
def test_enough_sweeps(answer, words):
    verdict = check_enough_sweeps(answer, ROW)
    assert bool(verdict) == (answer == 25)
    assert words in verdict.message
