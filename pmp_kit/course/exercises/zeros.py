"""Exercises of notebook 07: compute the maximum mean discrepancy (MMD), and find where it stops falling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pmp_kit.measures import mmd as metrics

from ..experiments.zeros.learn import SWEEPS
from .verdict import Mistake, Verdict, call, compare, right, wrong


def check_mmd(discrepancy: Callable) -> Verdict:
    """Check MMD^2 (V-statistic, all pairs counted) between two sets of images, with the kernel exp(-Hamming / D).

    Args:
        discrepancy: discrepancy(x, y) for x (N, D) and y (M, D) of 0 and 1 -> a number.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw = np.random.default_rng(0)
    x, y = (draw.random((30, 12)) < 0.3).astype(int), (draw.random((20, 12)) < np.linspace(0.1, 0.9, 12)).astype(int)
    xx, yy, xy = (np.exp(-_hamming(a, b) / 12) for a, b in ((x, x), (y, y), (x, y)))
    expected = xx.mean() + yy.mean() - 2 * xy.mean()
    long = [np.exp(-_hamming(a, b)) for a, b in ((x, x), (y, y), (x, y))]
    mistakes = [
        Mistake(np.zeros(()), "always 0: each mean needs pairs of its own. (So it is printed in the paper.)"),
        Mistake(np.asarray(metrics.mmd(x, y)), "this is the U-statistic: it leaves out the pairs of an image with "
                "itself. Right in the end, but here the paper's is asked, with all pairs."),
        Mistake(np.sqrt(expected), "this is MMD, not its square."),
        Mistake(np.log(expected), "this is the logarithm; give the number itself."),
        Mistake(xx.mean() + yy.mean() - xy.mean(), "the mean between the two sets counts twice."),
        Mistake(xx.mean() + yy.mean() + 2 * xy.mean(), "the mean between the two sets is subtracted."),
        Mistake(2 * xy.mean() - xx.mean() - yy.mean(), "right up to the sign."),
        Mistake(long[0].mean() + long[1].mean() - 2 * long[2].mean(), "divide the distance by D, the number "
                "of pixels."),
        Mistake(xx.sum() + yy.sum() - 2 * xy.sum(), "these are sums over pairs; take means instead."),
    ]  # fmt: skip
    return compare(
        call(discrepancy, x, y), np.asarray(expected), mistakes, praise="this is the paper's metric.", tolerance=1e-5
    )


def check_enough_sweeps(answer, tested: dict, sweeps: Sequence[int] = SWEEPS) -> Verdict:
    """Check after how many sweeps the samples stop improving within the error of the test.

    Args:
        answer: a number of sweeps.
        tested: the result of `experiments.zeros.learn.test` for one method.
        sweeps: the numbers of sweeps of its rows, by default those of Section 5.3.
    """
    if answer not in tuple(sweeps):
        return wrong(f"expected one of {', '.join(map(str, sweeps))}, got {answer!r}.")
    values, noise = tested["kept out"][:, 1], tested["null"][:, 1]
    level = values <= values[-1] + 2 * np.hypot(noise, noise[-1])
    expected = sweeps[int(np.argmax([level[k:].all() for k in range(len(level))]))]
    if answer == expected:
        return right(f"from {expected} sweeps on, the differences are within twice the noise of the test.")
    if answer < expected:
        return wrong(f"with {answer} sweeps it is still higher than at the end, by more than the noise of the test.")
    return wrong(f"right that nothing falls after {answer} sweeps, but it had stopped falling before.")


def _hamming(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Number of pixels in which each pair of images differs, (N, M)."""
    return (x[:, None] != y[None]).sum(-1)
