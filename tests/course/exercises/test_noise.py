"""The exercises of page 03: right answers pass, and usual mistakes are named."""

import numpy as np
import pytest

from pmp_kit.course import exercises


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda t: 1 / (1 + np.exp(-t)), "difference of two Gumbels is logistic"),
        (lambda t: 1 / (1 + np.exp(t)), "probability of x = 0"),
        (lambda t: np.exp(-np.exp(-t)), "a single Gumbel"),
        (lambda t: np.exp(-np.exp(-t - np.euler_gamma)), "a single Gumbel"),
        (lambda t: np.exp(t), "right up to the normalisation"),
        (lambda t: 0.5 * (1 + np.tanh(t)), "counts twice"),
        (lambda t: 0.5 * (1 + np.tanh(t / 2)), "difference of two Gumbels is logistic"),
        (lambda t: None, "The function returned nothing"),
    ],
)
def test_gumbel_difference(answer, says):
    verdict = exercises.check_gumbel_difference(answer)
    assert says in verdict.message
    assert verdict.passed == ("is logistic" in says)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n: 0.5772 * n, "why the kit centres"),
        (lambda n: -0.5772 * n, "moves up"),
        (lambda n: 0.5772, "the share of one variable"),
        (lambda n: 1.1544 * n, "not two"),
        (lambda n: 0.0, "The shift is not 0"),
        (lambda n: np.zeros(3), "expected one number"),
        (lambda n: ..., "The function returned nothing"),
    ],
)
def test_bound_shift(answer, says):
    verdict = exercises.check_bound_shift(answer)
    assert says in verdict.message
    assert verdict.passed == ("why" in says)
