"""Exercise of notebook 06: the reduced linear program of Appendix D."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..experiments.programs import linear_programs
from .verdict import Verdict, right, wrong

SPINS, MODELS, CLOSE = 4, 4, 1e-6
FAMILIES = {
    "q_ij <= p_i": (-1.0, 0.0, 1.0, 0.0),
    "q_ij <= p_j": (0.0, -1.0, 1.0, 0.0),
    "p_i + p_j - 1 <= q_ij": (1.0, 1.0, -1.0, 1.0),
}
"""Coefficients of p_i, p_j and q_ij, and the limit."""


def check_reduced_program(program: Callable) -> Verdict:
    """Check the LP relaxation of max 1/2 x'Wx + b'x in its reduced form, z = [p, q] between 0 and 1.

    Args:
        program: program(weight, bias, pairs) -> c, A, b, to be read as max c'z subject to A z <= b; the rows of A may
            come in any order. pairs (E, 2) holds every (i, j) with i != j, so it also holds (j, i).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    pairs = linear_programs.ordered_pairs(SPINS)
    for seed in range(MODELS):
        draw = np.random.default_rng(seed).normal(size=(SPINS, SPINS))
        weight, bias = 3 * (draw + draw.T) * (1 - np.eye(SPINS)), draw[0]
        given = _given(program, weight, bias, pairs)
        verdict = given if isinstance(given, Verdict) else _judge(*given, weight, bias, pairs)
        if not verdict:
            return verdict
    return right("it allows what the standard program allows, with a quarter of the numbers.")


def _given(program, weight, bias, pairs) -> Verdict | tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the reader's arrays, or a verdict if a shape is wrong."""
    if not callable(program):
        return wrong(f"expected a function, got {type(program).__name__}: write def ...: and pass its name.")
    try:
        answer: Any = program(weight.copy(), bias.copy(), pairs.copy())
    except Exception as error:
        return wrong(f"the function raised {type(error).__name__}: {error}")
    if answer is None or answer is Ellipsis:
        return wrong("nothing came back yet: fill in the dots, and return c, A, b.")
    try:
        objective, matrix, limits = (np.asarray(part, float) for part in answer)
    except (TypeError, ValueError):
        return wrong("expected three arrays of numbers: return c, A, b.")
    size = len(bias) + len(pairs)
    if objective.shape != (size,):
        return wrong(f"c: expected shape ({size},), n numbers for p and then one for each pair, got {objective.shape}.")
    if matrix.shape != (len(limits), size):
        return wrong(
            f"A: expected a column for each of the {size} numbers and a row for each entry of b, got {matrix.shape}."
        )
    if not all(np.isfinite(part).all() for part in (objective, matrix, limits)):
        return wrong("some numbers are infinite or not a number.")
    return objective, matrix, limits


def _judge(objective, matrix, limits, weight, bias, pairs) -> Verdict:
    """Check the objective first and then the constraints."""
    true = 0.5 * weight[pairs[:, 0], pairs[:, 1]]
    expected = np.concatenate([bias, true])
    mistakes = {
        "every pair comes twice, as (i, j) and (j, i), and each brings all of its weight: take half. (So does the "
        "paper's print.)": np.concatenate([bias, 2 * true]),
        "the sign is wrong: c'z is to become large here.": -expected,
        "p comes first in z, then q: n biases, then the weights of the pairs.": np.concatenate([true, bias]),
        "the biases are missing.": np.concatenate([0 * bias, true]),
    }
    for message, value in mistakes.items():
        if np.abs(objective - value).max() < CLOSE:
            return wrong(f"c: {message}")
    off = np.abs(objective - expected) > CLOSE
    if off.any():
        place = int(off.argmax())
        return wrong(f"c: expected {expected[place]:.4g} at entry {place}, got {objective[place]:.4g}.")
    for look in (_forbids, _allows):
        verdict = look(matrix, limits, len(bias), pairs)
        if verdict is not None:
            return verdict
    return right("")


def _forbids(matrix, limits, spins, pairs) -> Verdict | None:
    """Return a verdict if the constraints forbid a configuration of 0 and 1."""
    for code in range(2**spins):
        x = ((code >> np.arange(spins)) & 1).astype(float)
        z = np.concatenate([x, x[pairs[:, 0]] * x[pairs[:, 1]]])
        broken = matrix @ z > limits + CLOSE
        if broken.any():
            row = int(np.argmax(broken))
            return wrong(
                f"A, b: row {row} forbids x = {x.astype(int)} with q_ij = x_i x_j, which must be allowed: "
                f"it says {matrix[row] @ z:.3g} <= {limits[row]:.3g}. Is a sign wrong?"
            )
    return None


def _allows(matrix, limits, spins, pairs) -> Verdict | None:
    """Return a verdict if the constraints allow a point that violates one of the three families of constraints."""
    from scipy.optimize import linprog

    for words, (first, second, own, limit) in FAMILIES.items():
        for number, (i, j) in enumerate(pairs):
            ask = np.zeros(matrix.shape[1])
            ask[i], ask[j], ask[spins + number] = first, second, own
            worst = linprog(-ask, matrix, limits, bounds=(0, 1), method="highs")
            if worst.status == 0 and -worst.fun > limit + CLOSE:
                p, q = worst.x[[i, j]], worst.x[spins + number]
                return wrong(
                    f"A, b: {words} is missing, at least for the pair ({i}, {j}): p_i = {p[0]:.2g}, p_j = {p[1]:.2g}, "
                    f"q_ij = {q:.2g} passes."
                )
    return None
