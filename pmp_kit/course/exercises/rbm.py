"""Exercises of notebook 09: the effective number of digits that a model draws, and its collapse to one digit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..experiments.rbm.learn import METHODS
from ..experiments.rbm.samples import load
from .verdict import Mistake, Verdict, call, compare, right, wrong

SHARES = np.array([0.5, 0.25, 0.125, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def effective_digits(shares: np.ndarray) -> np.ndarray:
    """exp(entropy) of shares (..., 10): 10 where all digits are equally frequent, 1 where there is only one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log(shares), 0.0)
    return np.exp(-terms.sum(-1))


def check_effective_digits(function: Callable) -> Verdict:
    """Check the effective number of digits, exp of the entropy of their shares.

    Args:
        function: function(shares) for shares (10,) that sum to 1 -> a number from 1 to 10.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        given = call(function, SHARES)
    if not isinstance(given, Verdict) and np.isnan(given).any():
        return wrong("not a number: a digit that never came has p log p = 0, but NumPy says 0 * log(0) = nan.")
    used = SHARES[SHARES > 0]
    entropy = -(used * np.log(used)).sum()
    mistakes = [
        Mistake(entropy, "this is the entropy, in nats; exp turns it into a number of digits."),
        Mistake(entropy / np.log(2), "this is the entropy, in bits; take natural logarithms, and then exp."),
        Mistake(np.exp(entropy / np.log(2)), "exp goes with natural logarithms; with log2 it would be 2 ** entropy."),
        Mistake(np.exp(-entropy), "the entropy is minus the sum of p log p: there is a sign to turn."),
        Mistake(np.array(len(used)), "this counts the digits that came at all; one 8 among a thousand counts as much."),
        Mistake(1 / (SHARES**2).sum(), "1 / sum p^2 is another such number, a good one; asked is exp(entropy)."),
        Mistake(SHARES.max(), "this is the share of the most frequent digit."),
    ]
    return compare(given, effective_digits(SHARES), mistakes, praise="10 for an even mixture, 1 for a single digit.")


def check_collapse(method: str, sweeps: int) -> Verdict:
    """Check which of the RBMs, after how many sweeps, draws the fewest different digits.

    Args:
        method: one of `experiments.rbm.learn.METHODS`.
        sweeps: one of the numbers of sweeps that the RBM studio offers.

    Returns:
        The verdict. It gives the effective number of digits of the chosen RBM.
    """
    stored = load()
    stops = stored["sweeps"].tolist()
    if method not in METHODS:
        return wrong(f"expected one of {', '.join(METHODS)}, got {method!r}.")
    if sweeps not in stops:
        return wrong(f"expected one of the stops {', '.join(map(str, stops))}, got {sweeps!r}.")
    left = effective_digits(stored["shares"])
    here, shares = METHODS.index(method), stored["shares"][METHODS.index(method), stops.index(sweeps)]
    found, least = left[here, stops.index(sweeps)], left.min()
    top = int(shares.argmax())
    most = f"{shares[top]:.0%} of its samples are read as {top}"
    says = f"{method} after {sweeps} sweeps draws {found:.1f} effective digits; {most}"
    if found <= least + 1e-6:
        return right(says + ".")
    place = "at another number of sweeps" if left[here].min() <= least + 1e-6 else "in another set of weights"
    return wrong(f"{says}. Fewer, {least:.1f}, are found {place}.")
