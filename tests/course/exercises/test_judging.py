"""The exercise of page 07: its answer is the library's estimate, and the usual mistakes are named."""

import numpy as np
import pytest
from exercise_answers import discrepancy as right
from exercise_answers import kernel

import pmp_kit as pk
from pmp_kit.course.exercises import check_mmd


def biased(x, y, scale):
    return kernel(x, x, scale).mean() + kernel(y, y, scale).mean() - 2 * kernel(x, y, scale).mean()


def test_the_estimate_is_that_of_the_library():
    draw = np.random.default_rng(1)
    x, y = draw.integers(0, 2, (9, 20)), draw.integers(0, 2, (7, 20))
    assert right(x, y, 5.0) == pytest.approx(pk.metrics.mmd(x, y, scale=5.0))


def half_of_the_pairs(x, y, scale):
    within = [kernel(z, z, scale).sum() / (len(z) * (len(z) - 1) / 2) for z in (x, y)]
    return sum(within) - 2 * kernel(x, y, scale).mean()


def without_equal_places(x, y, scale):
    between = kernel(x, y, scale)
    np.fill_diagonal(between, 0.0)
    return right(x, y, scale) + 2 * (kernel(x, y, scale).mean() - between.mean())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (biased, "Leave out the diagonal"),
        (lambda x, y, s: biased(x, y, s) - 1 / len(x) - 1 / len(y), "there are N (N - 1) pairs"),
        (lambda x, y, s: 2 * right(x, y, s) + 2 * kernel(x, y, s).mean(), "The matrix holds each pair of images twice"),
        (half_of_the_pairs, "Leave out the diagonal. The matrix holds each pair of images twice"),
        (lambda x, y, s: right(x, y, 1.0), "Use the argument scale"),
        (lambda x, y, s: right(x, y, s * x.shape[1]), "Divide the distance by D"),
        (lambda x, y, s: right(x, y, s) + kernel(x, y, s).mean(), "has a factor 2"),
        (lambda x, y, s: right(x, y, s) + 4 * kernel(x, y, s).mean(), "is subtracted"),
        (without_equal_places, "the mean of all pairs"),
        (lambda x, y, s: np.sqrt(right(x, y, s)), "asks for its square"),
        (lambda x, y, s: None, "Replace the dots"),
    ],
)
def test_mistakes_are_named(wrong, words):
    with np.errstate(invalid="ignore"):
        verdict = check_mmd(wrong)
    assert not verdict
    assert words in verdict.message
