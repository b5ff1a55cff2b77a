"""The exercise of page 16: wrong limits of the sweeps in a second are told apart."""

import pytest
from exercise_answers import sweep_limit as right

from pmp_kit.course.exercises import check_sweep_limit

ANSWERS = {
    "one in each direction": lambda n, s, c: 2 * right(n, s, c),
    "n squared": lambda n, s, c: 1e9 / (n * n * s * c),
    "Every sample": lambda n, s, c: s * right(n, s, c),
    "A second has 1e9": lambda n, s, c: right(n, s, c) / 1e9,
    "Take the inverse": lambda n, s, c: 1 / right(n, s, c),
    "nanoseconds per sweep": lambda n, s, c: 1e9 / right(n, s, c),
    "Every message takes copy_ns": lambda n, s, c: c * right(n, s, c),
    "A longer copy_ns": lambda n, s, c: c * c * right(n, s, c),
    "to read and to write": lambda n, s, c: right(n, s, c) / 2,
    "not for one byte": lambda n, s, c: right(n, s, c) / 4,
    "all 4 bytes of a message": lambda n, s, c: right(n, s, c) / 8,
    "divide by the number of samples": lambda n, s, c: s**2 * right(n, s, c),
    "one message per variable": lambda n, s, c: 1e9 / (n * s * c),
    "The function returned nothing": lambda n, s, c: ...,
    "raised ZeroDivisionError": lambda n, s, c: 1 / 0,
}


@pytest.mark.parametrize("words", ANSWERS)
def test_wrong_answers_are_told_apart(words):
    verdict = check_sweep_limit(ANSWERS[words])
    assert not verdict
    assert words in verdict.message
