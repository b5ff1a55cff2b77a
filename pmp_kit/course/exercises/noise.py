"""Exercises of notebook 03: the difference of two Gumbel variables, and the shift of the bound on log Z."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .verdict import Mistake, Verdict, as_array, call, compare, wrong

EULER = float(np.euler_gamma)


def check_gumbel_difference(probability: Callable) -> Verdict:
    """Check P(theta + g_1 > g_0) for two independent Gumbels: the probability that perturb-and-MAP returns x = 1.

    Args:
        probability: probability(theta) for an array of log-odds theta (k,) -> (k,).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    theta = np.linspace(-3.0, 3.0, 13)
    expected = 1.0 / (1.0 + np.exp(-theta))
    gumbel = np.exp(-np.exp(-theta))
    mistakes = [
        Mistake(1.0 - expected, "this is the chance of x = 0: the sign of theta is turned round."),
        Mistake(gumbel, "this is the distribution of ONE Gumbel; the comparison needs the difference of two."),
        Mistake(
            1.0 - np.exp(-np.exp(theta)), "this is the distribution of one negative Gumbel; there are two of them."
        ),
        Mistake(expected * (1 - expected), "this is the density of the difference; integrate it up to theta."),
        Mistake(_normal(theta), "this is the normal distribution function with the same variance: close, but not it."),
        Mistake(np.exp(theta), "right up to the normalisation: divide by 1 + exp(theta)."),
        Mistake(
            1.0 / (1.0 + np.exp(-2 * theta)), "theta counts twice: with {0,1} variables the log-odds are theta itself."
        ),
        Mistake(0.5 * (1 + np.tanh(theta)), "theta counts twice: tanh needs theta / 2."),
        Mistake(np.log(expected), "this is its logarithm."),
    ]
    praise = "the difference of two Gumbels is logistic, so perturb-and-MAP of one binary variable IS the softmax."
    return compare(call(probability, theta), expected, mistakes, praise=praise)


def _normal(theta: np.ndarray) -> np.ndarray:
    """Distribution function of a normal with the variance of the logistic, pi^2 / 3."""
    from math import erf

    return np.array([0.5 * (1 + erf(t / np.sqrt(2 * np.pi**2 / 3))) for t in theta])


def check_bound_shift(shift: Callable) -> Verdict:
    """Check by how much E[max] rises if every state of n variables gets standard Gumbel noise with its mean.

    Args:
        shift: shift(n) for a number of variables n -> nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    counts = np.arange(1, 9)
    given = [call(shift, int(n)) for n in counts]
    for value in given:
        if isinstance(value, Verdict):
            return value
        if value.ndim:
            return wrong(f"expected one number, got shape {value.shape}.")
    expected = EULER * counts
    mistakes = [
        Mistake(-expected, "the size is right; a standard Gumbel's mean is above zero, so the bound moves up."),
        Mistake(
            np.full(len(counts), EULER), "that is one variable's share: every variable adds one Gumbel to the maximum."
        ),
        Mistake(2 * expected, "only the Gumbel of the state that is chosen counts: one for each variable, not two."),
        Mistake(counts.astype(float), "a standard Gumbel's mean is not 1: look up Euler's constant."),
        Mistake(EULER * 2.0**counts, "the noise sits on single variables, not on all 2^n configurations."),
        Mistake(counts * np.log(2.0), "n log 2 is log Z of independent fair bits, not the mean of the noise."),
        Mistake(np.zeros(len(counts)), "there is a shift: a standard Gumbel's mean is not zero."),
    ]
    praise = f"n times {EULER:.4f}: why the kit centres its Gumbels before it calls E[max] a bound of log Z."
    return compare(as_array(given), expected, mistakes, praise=praise, tolerance=2e-3)
