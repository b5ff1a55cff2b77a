"""Exercise of page 07: the unbiased estimate of the maximum mean discrepancy (MMD)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cases import Case, judge
from .verdict import Mistake, Verdict


def check_mmd(discrepancy: Callable) -> Verdict:
    """Check the unbiased estimate (U-statistic) of MMD^2 between two sets of images, kernel exp(-scale * Hamming / D).

    Args:
        discrepancy: discrepancy(x, y, scale) for x (N, D) and y (M, D) of 0 and 1 -> a number.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw, cases = np.random.default_rng(0), []
    many = (draw.random((30, 12)) < 0.3).astype(int), (draw.random((20, 12)) < np.linspace(0.1, 0.9, 12)).astype(int)
    for name, (x, y), scale in (
        ("one pixel", (np.array([[0], [1]]), np.array([[1], [1]])), 1.0),
        ("two pixels", (np.array([[0, 0], [0, 1]]), np.array([[1, 1], [0, 1]])), 1.0),
        ("12 pixels", many, 10.0),
    ):
        cases.append(Case(name, (x, y, scale), np.array(_unbiased(*_kernels(x, y, scale))), _mistakes(x, y, scale)))
    praise = "On average a perfect sampler scores 0. Single values can be negative."
    return judge(discrepancy, cases, ("x", "y", "scale"), praise=praise, tolerance=1e-5)


def _mistakes(x: np.ndarray, y: np.ndarray, scale: float) -> list[Mistake]:
    """Common wrong values of MMD^2, each with its explanation."""
    xx, yy, xy = _kernels(x, y, scale)
    n, m, crossing = len(x), len(y), xy.sum() - np.trace(xy)
    expected = _unbiased(xx, yy, xy)
    with_diagonal = xx.sum() / (n * (n - 1)) + yy.sum() / (m * (m - 1))
    short = (xx.sum() - n) / n**2 + (yy.sum() - m) / m**2 - 2 * xy.mean()
    twice = "The matrix holds each pair of images twice, so divide its sum by N (N - 1), not by half of that."
    return [
        Mistake(
            xx.mean() + yy.mean() - 2 * xy.mean(),
            "This includes the pairs of an image with itself. Leave out the diagonal of the two sets' own matrices.",
        ),
        Mistake(
            short, "The sums are right, but there are N (N - 1) pairs without the diagonal. Divide by this number."
        ),
        Mistake(2 * (_apart(xx) + _apart(yy) - xy.mean()), twice),
        Mistake(2 * (with_diagonal - xy.mean()), f"Leave out the diagonal. {twice}"),
        Mistake(_unbiased(*_kernels(x, y, 1.0)), "Use the argument scale in the exponent, not 1."),
        Mistake(_unbiased(*_kernels(x, y, scale * x.shape[1])), "Divide the distance by D, the number of pixels."),
        Mistake(_apart(xx) + _apart(yy) - xy.mean(), "The mean between the two sets has a factor 2."),
        Mistake(_apart(xx) + _apart(yy) + 2 * xy.mean(), "The mean between the two sets is subtracted, not added."),
        Mistake(max(0.0, float(expected)), "The unbiased estimate can be negative. Return it as it is."),
        *(
            Mistake(_apart(xx) + _apart(yy) - 2 * crossing / pairs, "Between x and y take the mean of all pairs.")
            for pairs in (n * m, n * m - min(n, m), n * (m - 1))
        ),
        Mistake(np.sqrt(abs(expected)), "This is MMD. The exercise asks for its square."),
    ]


def _kernels(x: np.ndarray, y: np.ndarray, scale: float) -> list[np.ndarray]:
    """Kernel exp(-scale * Hamming / D) within x (N, N), within y (M, M) and between them (N, M)."""
    return [np.exp(-scale * (a[:, None] != b[None]).mean(-1)) for a, b in ((x, x), (y, y), (x, y))]


def _unbiased(xx: np.ndarray, yy: np.ndarray, xy: np.ndarray) -> float:
    """Unbiased estimate of MMD^2 from the kernel within x (N, N), within y (M, M) and between them (N, M)."""
    return _apart(xx) + _apart(yy) - 2 * xy.mean()


def _apart(kernel: np.ndarray) -> float:
    """Mean of a kernel (N, N) without its diagonal."""
    return (kernel.sum() - np.trace(kernel)) / (len(kernel) * (len(kernel) - 1))
