"""The exercises on the digits that RBMs draw: right answers pass, and wrong ones are told what is wrong with them."""

import re

import numpy as np
import pytest
from exercise_answers import entropy

from pmp_kit.course import exercises
from pmp_kit.course.experiments.rbm import learn, samples
from pmp_kit.course.experiments.rbm.figures import effective_digits


def test_effective_digits():
    assert effective_digits(np.full(10, 0.1)) == pytest.approx(10.0)
    assert effective_digits(np.eye(10)[3]) == pytest.approx(1.0)


def no_zero(shares):
    return np.exp(-(shares * np.log(shares)).sum())


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (no_zero, "0 \\* log\\(0\\)"),
        (entropy, "exp turns it into"),
        (lambda shares: np.exp(-entropy(shares)), "sign"),
        (lambda shares: 2 ** entropy(shares), "With natural logarithms use exp"),
        (lambda shares: (shares > 0).sum(), "digits with a positive share"),
        (lambda shares: 1 / (shares**2).sum(), "another effective number"),
        (lambda shares: None, "Replace the dots"),
    ],
)
def test_wrong_counts_are_named(function, words):
    verdict = exercises.check_effective_digits(function)
    assert not verdict
    assert re.search(words, verdict.message)


def test_the_right_count_passes():
    assert exercises.check_effective_digits(lambda shares: effective_digits(np.asarray(shares)))


def test_the_collapse_is_found_only_where_it_is():
    stored = samples.load()
    late = stored["sweeps"] >= exercises.rbm.LEAST_SWEEPS
    left, stops = effective_digits(stored["shares"][:, late]), stored["sweeps"][late]
    assert effective_digits(stored["shares"])[0, 0] < left.min()
    row, column = np.unravel_index(left.argmin(), left.shape)
    method, sweeps = learn.METHODS[row], int(stops[column])
    close = stops[left[row] <= left.min() + exercises.rbm.CHANCE].tolist()
    assert len(close) > 1
    assert all(exercises.check_collapse(method, stop) for stop in close)
    others = [name for name in learn.METHODS if name != method and left[learn.METHODS.index(name)].min() > left.min()]
    assert "another set of weights" in exercises.check_collapse(others[0], sweeps).message
    elsewhere = int(stops[left[row].argmax()])
    assert "another number of sweeps" in exercises.check_collapse(method, elsewhere).message
    assert "must be one of" in exercises.check_collapse("PCD", sweeps).message
    assert "must be one of 10, 20," in exercises.check_collapse(method, 3).message
    assert "must be one of 10, 20," in exercises.check_collapse("PMP", 1).message
