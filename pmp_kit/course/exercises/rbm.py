"""Exercises of page 09: the effective number of digits that a model draws, and its collapse to a few digits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..experiments.rbm.figures import effective_digits
from ..experiments.rbm.learn import METHODS
from ..experiments.rbm.samples import load
from .cases import Case, judge
from .picture import Bars
from .verdict import Mistake, Verdict, right, shown, wrong

CHANCE = 0.3  # two standard errors of a difference of effective numbers of 400 samples
LEAST_SWEEPS = 10  # fewer sweeps do not count: after one sweep of PMP the images are empty
SHARES = {
    "one digit": np.eye(10)[8],
    "two digits": 0.5 * (np.eye(10)[3] + np.eye(10)[8]),
    "ten digits": np.full(10, 0.1),
    "four digits": np.array([0.5, 0.25, 0.125, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
}


def check_effective_digits(function: Callable) -> Verdict:
    """Check the effective number of digits, exp of the entropy of their shares.

    Args:
        function: function(shares) for shares (10,) that sum to 1 -> a number from 1 to 10.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = [Case(name, (shares,), effective_digits(shares), _mistakes(shares)) for name, shares in SHARES.items()]
    praise = "The number is 10 for equal shares of all digits, and 1 for a single digit."
    with np.errstate(divide="ignore", invalid="ignore"):
        return judge(function, cases, ["shares"], praise=praise)


def _mistakes(shares: np.ndarray) -> list[Mistake]:
    """Common wrong numbers of digits, each with its explanation."""
    used = shares[shares > 0]
    entropy = -(used * np.log(used)).sum()
    return [
        Mistake(
            np.nan, "The result is not a number. A digit with share 0 adds p log p = 0, but NumPy has 0 * log(0) = nan."
        ),
        Mistake(entropy, "This is the entropy in nats. exp turns it into a number of digits."),
        Mistake(entropy / np.log(2), "This is the entropy in bits. Use natural logarithms, and then exp."),
        Mistake(
            np.exp(entropy / np.log(2)), "exp needs the entropy with natural logarithms. With log2 use 2 ** entropy."
        ),
        Mistake(2**entropy, "2 ** needs the entropy with log2. With natural logarithms use exp."),
        Mistake(np.exp(-entropy), "The entropy is minus the sum of p log p. The sign is missing."),
        Mistake(len(used), "This is the number of digits with a positive share. It ignores how large the shares are."),
        Mistake(1 / (shares**2).sum(), "1 / sum p^2 is another effective number. The exercise asks for exp(entropy)."),
        Mistake(shares.max(), "This is the share of the most frequent digit."),
    ]


def check_collapse(method: str, sweeps: int) -> Verdict:
    """Check which of the RBMs, after how many sweeps, draws the fewest different digits.

    Args:
        method: one of `experiments.rbm.learn.METHODS`.
        sweeps: one of the numbers of sweeps that the RBM studio offers, at least LEAST_SWEEPS.

    Returns:
        The verdict. It gives the effective number of digits of the chosen RBM.
    """
    stored = load()
    late = stored["sweeps"] >= LEAST_SWEEPS
    stops, table = stored["sweeps"][late].tolist(), stored["shares"][:, late]
    if not isinstance(method, str) or method not in METHODS:
        return wrong(f"The method must be one of {', '.join(METHODS)}, and you gave {shown(method)}.")
    if np.ndim(sweeps) or sweeps not in stops:
        return wrong(f"The number of sweeps must be one of {', '.join(map(str, stops))}, and you gave {shown(sweeps)}.")
    left = effective_digits(table)
    here = METHODS.index(method)
    shares, found, least = table[here, stops.index(sweeps)], left[here, stops.index(sweeps)], left.min()
    top = int(shares.argmax())
    most = f"The classifier reads {100 * shares[top]:.0f} % of its samples as {top}"
    says = f"{method} after {sweeps} sweeps draws {found:.2f} effective digits. {most}."
    fewest = table.reshape(-1, 10)[left.argmin()]
    look = {"axis": "digit", "heads": ("yours", "fewest digits")}
    if found <= least + CHANCE:
        return right(says, Bars(shares, fewest, np.zeros(10, bool), "The shares of the digits in its samples:", **look))
    place = "with another number of sweeps" if left[here].min() <= least + CHANCE else "with another set of weights"
    differs = np.abs(shares - fewest) > 0.02
    title = "The shares of the digits in its samples. Differences above 0.02 are marked."
    picture = Bars(shares, fewest, differs, title, **look)
    return wrong(f"{says} A smaller number, {least:.2f}, is found {place}.", picture)
