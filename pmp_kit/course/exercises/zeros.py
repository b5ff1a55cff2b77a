"""Exercises of notebook 07: compute the maximum mean discrepancy (MMD), and find where it stops falling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..experiments.zeros.learn import SWEEPS
from .cases import Case, judge
from .picture import Curve
from .verdict import Mistake, Verdict, right, shown, wrong


def check_mmd(discrepancy: Callable) -> Verdict:
    """Check MMD^2 (V-statistic, all pairs counted) between two sets of images, with the kernel exp(-Hamming / D).

    Args:
        discrepancy: discrepancy(x, y) for x (N, D) and y (M, D) of 0 and 1 -> a number.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw, cases = np.random.default_rng(0), []
    many = (draw.random((30, 12)) < 0.3).astype(int), (draw.random((20, 12)) < np.linspace(0.1, 0.9, 12)).astype(int)
    for name, (x, y) in {
        "one pixel": (np.array([[0], [1]]), np.array([[1], [1]])),
        "two pixels": (np.array([[0, 0], [0, 1]]), np.array([[1, 1], [0, 1]])),
        "12 pixels": many,
    }.items():
        xx, yy, xy = (np.exp(-_hamming(a, b) / x.shape[1]) for a, b in ((x, x), (y, y), (x, y)))
        cases.append(Case(name, (x, y), xx.mean() + yy.mean() - 2 * xy.mean(), _mistakes(x, y)))
    return judge(discrepancy, cases, ("x", "y"), praise="This is the metric of the paper.", tolerance=1e-5)


def _mistakes(x: np.ndarray, y: np.ndarray) -> list[Mistake]:
    """Common wrong values of MMD^2, each with its explanation."""
    pairs = (x, x), (y, y), (x, y)
    xx, yy, xy = (np.exp(-_hamming(a, b) / x.shape[1]) for a, b in pairs)
    far = [np.exp(-_hamming(a, b)).mean() for a, b in pairs]
    expected = xx.mean() + yy.mean() - 2 * xy.mean()
    return [
        Mistake(0.0, "This is always 0, as printed in the paper. Each mean needs its own pairs."),
        Mistake(
            _unbiased(xx) + _unbiased(yy) - 2 * xy.mean(),
            "This is the U-statistic, which leaves out the pairs of an image with itself. Include all pairs.",
        ),
        Mistake(np.sqrt(expected), "This is MMD. The exercise asks for its square."),
        Mistake(np.log(expected), "This is the logarithm of MMD^2. Return MMD^2."),
        Mistake(xx.mean() + yy.mean() - xy.mean(), "The mean between the two sets has a factor 2."),
        Mistake(xx.mean() + yy.mean() + 2 * xy.mean(), "The mean between the two sets is subtracted, not added."),
        Mistake(far[0] + far[1] - 2 * far[2], "Divide the distance by D, the number of pixels."),
        Mistake(xx.sum() + yy.sum() - 2 * xy.sum(), "These are sums over pairs. Take means instead."),
    ]


def check_enough_sweeps(answer, tested: dict, sweeps: Sequence[int] = SWEEPS) -> Verdict:
    """Check after how many sweeps the samples stop improving within the error of the test.

    Args:
        answer: a number of sweeps.
        tested: the result of `experiments.zeros.learn.test` for one method.
        sweeps: the numbers of sweeps of its rows, by default those of Section 5.3.
    """
    if np.ndim(answer) or answer not in tuple(sweeps):
        return wrong(f"The answer must be one of {', '.join(map(str, sweeps))}, and you gave {shown(answer)}.")
    values, noise = tested["kept out"][:, 1], tested["null"][:, 1]
    limits = values[-1] + 2 * np.hypot(noise, noise[-1])
    level = values <= limits
    expected = sweeps[int(np.argmax([level[k:].all() for k in range(len(level))]))]
    chosen = np.array([number == answer and answer != expected for number in sweeps])
    title = f"You chose {answer} sweeps. The limit is the last MMD^2 plus twice the noise of the test."
    heads = "measured", "noise limit"
    picture = Curve(values, limits, chosen, title, heads, np.asarray(sweeps, float), "sweeps")
    if answer == expected:
        return right(f"From {expected} sweeps on, the differences are within twice the noise of the test.", picture)
    if answer < expected:
        return wrong(
            f"After {answer} sweeps the value is still higher than at the end by more than the noise.", picture
        )
    return wrong(f"Nothing falls after {answer} sweeps, but the value stopped falling earlier.", picture)


def _hamming(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Number of pixels in which each pair of images differs, (N, M)."""
    return (x[:, None] != y[None]).sum(-1)


def _unbiased(kernel: np.ndarray) -> float:
    """Mean of a kernel (N, N) without its diagonal."""
    return (kernel.sum() - np.trace(kernel)) / (len(kernel) * (len(kernel) - 1))
