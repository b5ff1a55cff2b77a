"""Exercises of page 03: the difference of two Gumbel variables, and the shift of the bound on log Z."""

from __future__ import annotations

from collections.abc import Callable
from math import erf

import numpy as np

from .cases import Case, judge
from .picture import Curve, written
from .verdict import Mistake, Verdict

EULER = float(np.euler_gamma)
THETA = np.linspace(-3.0, 3.0, 13)


def check_gumbel_difference(probability: Callable) -> Verdict:
    """Check P(theta + g_1 > g_0) for two independent Gumbels: the probability that perturb-and-MAP returns x = 1.

    Args:
        probability: probability(theta) for an array of log-odds theta (k,) -> (k,).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    expected = 1.0 / (1.0 + np.exp(-THETA))
    single = "This is the distribution of a single Gumbel. Use that of the difference of two."
    mistakes = [
        Mistake(1.0 - expected, "This is the probability of x = 0. The sign of theta is reversed."),
        Mistake(np.exp(-np.exp(-THETA)), single),
        Mistake(np.exp(-np.exp(-THETA - EULER)), single),  # with mean 0, as on the page
        Mistake(
            1.0 - np.exp(-np.exp(THETA)),
            "This is the distribution of one negative Gumbel. Use that of the difference of two.",
        ),
        Mistake(expected * (1 - expected), "This is the density of the difference. Integrate it up to theta."),
        Mistake(_normal(THETA), "This is a normal distribution with the same variance. It is close, but not exact."),
        Mistake(np.exp(THETA), "The result is right up to the normalisation. Divide by 1 + exp(theta)."),
        Mistake(1.0 / (1.0 + np.exp(-2 * THETA)), "theta counts twice. With {0, 1} variables the log-odds are theta."),
        Mistake(0.5 * (1 + np.tanh(THETA)), "theta counts twice. The argument of tanh is theta / 2."),
        Mistake(np.log(expected), "This is the logarithm of the probability."),
    ]
    praise = "The difference of two Gumbels is logistic, so perturb-and-MAP is exact for one binary variable."
    return judge(
        probability, [Case("theta from -3 to 3", (THETA,), expected, mistakes)], ["theta"], _curve, praise=praise
    )


def _curve(given, expected, wrong, title: str) -> Curve:
    """Draw the probability against theta. The title names the wrong value that is closest to theta = 0."""
    if wrong.any():
        worst = np.flatnonzero(wrong)[np.abs(THETA[wrong]).argmin()]
        title = (
            f"The wrong value closest to theta = 0 is at theta = {THETA[worst]:g}: "
            f"{written(given[worst], 3)} instead of {written(expected[worst], 3)}."
        )
    return Curve(given, expected, wrong, title, at=THETA, axis="theta")


def _normal(theta: np.ndarray) -> np.ndarray:
    """Distribution function of a normal with the variance of the logistic, pi^2 / 3."""
    return np.array([0.5 * (1 + erf(t / np.sqrt(2 * np.pi**2 / 3))) for t in theta])


def check_bound_shift(shift: Callable) -> Verdict:
    """Check by how much the mean of the maxima rises if the Gumbel noise on n variables keeps its own mean.

    Args:
        shift: shift(n) for a number of variables n -> nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = []
    for n in range(1, 7):
        mistakes = [
            Mistake(-EULER * n, "The size is right. The mean of a standard Gumbel is positive, so the bound moves up."),
            Mistake(EULER, "This is the share of one variable. Every variable adds one Gumbel to the maximum."),
            Mistake(
                2 * EULER * n, "Only the Gumbel of the chosen state counts, so each variable adds one Gumbel, not two."
            ),
            Mistake(n, "The mean of a standard Gumbel is not 1. Look up Euler's constant."),
            Mistake(EULER * 2.0**n, "The noise is on single variables, not on all 2^n configurations."),
            Mistake(n * np.log(2.0), "n log 2 is log Z of independent fair bits. It is not the mean of the noise."),
            Mistake(0.0, "The shift is not 0, because the mean of a standard Gumbel is not 0."),
        ]
        cases.append(Case(f"n = {n}", (n,), np.array(EULER * n), mistakes))
    praise = f"The shift is n times {EULER:.4f}. This is why the kit centres its Gumbels before it bounds log Z."
    return judge(shift, cases, ["n"], praise=praise, tolerance=2e-3)
