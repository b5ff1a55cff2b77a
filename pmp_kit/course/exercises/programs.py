"""Exercise of page 14: the reduced linear program of Appendix D."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ..experiments.programs import linear_programs
from .cases import describe
from .grids import Cells
from .picture import Bars, written
from .verdict import Verdict, arrays, right, run, wrong

SIZES = 2, 3, 4, 4, 4, 4
"""Numbers of spins of the models, one for each seed."""
CLOSE = 1e-6
FAMILIES = {
    "q_ij <= p_i": (-1.0, 0.0, 1.0, 0.0),
    "q_ij <= p_j": (0.0, -1.0, 1.0, 0.0),
    "p_i + p_j - 1 <= q_ij": (1.0, 1.0, -1.0, 1.0),
}
"""Coefficients of p_i, p_j and q_ij, and the limit."""


def check_reduced_program(program: Callable) -> Verdict:
    """Check the LP relaxation of max 1/2 x'Wx + b'x in its reduced form, z = [p, q] between 0 and 1.

    Args:
        program: program(weight, bias, pairs) -> g, A, r, to be read as max g'z subject to A z <= r; the rows of A may
            come in any order. pairs (E, 2) holds every (i, j) with i != j, so it also holds (j, i).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    if not callable(program):
        return run(program)
    picture = None
    for seed, spins in enumerate(SIZES):
        draw = np.random.default_rng(seed).normal(size=(spins, spins)).round(2)
        weight, bias, pairs = (draw + draw.T) * (1 - np.eye(spins)), draw[0], linear_programs.ordered_pairs(spins)
        words = describe(f"{spins} spins", (weight, bias, pairs), ("weight", "bias", "pairs"))
        given = _given(program, weight, bias, pairs)
        if isinstance(given, Verdict):
            return wrong(f"{given.message} The input was: {words}.")
        verdict = _judge(*given, weight, bias, pairs, f"The smallest case that fails: {words}.")
        if not verdict:
            return verdict
        picture = picture or _ranges(*given[1:], spins, pairs, 0, "Your answer for 2 spins.")
    return right("The program allows what the standard program allows, with a quarter of the numbers.", picture)


def _given(program, weight, bias, pairs) -> Verdict | tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the reader's arrays, or a verdict if a shape is wrong."""
    found = arrays(run(program, weight, bias, pairs), "g", "A", "r")
    if isinstance(found, Verdict):
        return found
    objective, matrix, limits = found
    size = len(bias) + len(pairs)
    if objective.shape != (size,):
        return wrong(
            f"g: The check expected shape ({size},), n numbers for p and then one for each pair, and got "
            f"{objective.shape}."
        )
    if limits.ndim != 1:
        return wrong(f"r: The check expected one axis, a number for each row of A, and got shape {limits.shape}.")
    if matrix.shape != (len(limits), size):
        return wrong(
            f"A: The check expected a column for each of the {size} numbers and a row for each entry of r, and got "
            f"{matrix.shape}."
        )
    if not all(np.isfinite(part).all() for part in found):
        return wrong("Some numbers are infinite or not a number.")
    return objective, matrix, limits


def _judge(objective, matrix, limits, weight, bias, pairs, title: str) -> Verdict:
    """Check the objective first and then the constraints."""
    true = 0.5 * weight[pairs[:, 0], pairs[:, 1]]
    expected = np.concatenate([bias, true])
    off = np.abs(objective - expected) > CLOSE
    if off.any():
        labels = [f"p_{i}" for i in range(len(bias))] + [f"q_{i}{j}" for i, j in pairs]
        return wrong(
            f"g: {_objective_mistake(objective, bias, true)}", Bars(objective, expected, off, title, labels=labels)
        )
    found = _forbids(matrix, limits, len(bias), pairs) or _allows(matrix, limits, len(bias), pairs)
    if found is None:
        return right("")
    message, pair = found
    return wrong(message, _ranges(matrix, limits, len(bias), pairs, pair, title))


def _objective_mistake(objective, bias, true) -> str:
    """Explain what is wrong with g."""
    expected = np.concatenate([bias, true])
    mistakes = {
        "Every pair occurs twice, as (i, j) and (j, i), and each adds all of its weight. Take half of the weight. (The "
        "printed formula of the paper lacks the half as well.)": np.concatenate([bias, 2 * true]),
        "The sign is wrong. The program maximises g'z.": -expected,
        "The order is p and then q: n biases, then the weights of the pairs.": np.concatenate([true, bias]),
        "The biases are missing.": np.concatenate([0 * bias, true]),
    }
    for message, value in mistakes.items():
        if np.abs(objective - value).max() < CLOSE:
            return message
    place = int(np.abs(objective - expected).argmax())
    number, returned = written(expected[place], 4), written(objective[place], 4)
    return f"Entry {place} is {number} in the right vector, and the function returned {returned}."


def _forbids(matrix, limits, spins, pairs) -> tuple[str, int] | None:
    """Return a message and a pair if the constraints forbid a configuration of 0 and 1."""
    for code in range(2**spins):
        x = ((code >> np.arange(spins)) & 1).astype(float)
        z = np.concatenate([x, x[pairs[:, 0]] * x[pairs[:, 1]]])
        broken = matrix @ z > limits + CLOSE
        if broken.any():
            row = int(np.argmax(broken))
            used = np.flatnonzero(matrix[row, spins:])
            message = (
                f"A, r: Row {row} forbids x = {x.astype(int)} with q_ij = x_i x_j, which must be allowed: "
                f"{written(matrix[row] @ z, 3)} <= {written(limits[row], 3)} is false. "
                "Check the signs and the limit of this row."
            )
            return message, int(used[0]) if used.size else 0
    return None


def _allows(matrix, limits, spins, pairs) -> tuple[str, int] | None:
    """Return a message and a pair if the constraints allow a point that violates one of the families of constraints."""
    from scipy.optimize import linprog

    for words, (first, second, own, limit) in FAMILIES.items():
        for number, (i, j) in enumerate(pairs):
            ask = np.zeros(matrix.shape[1])
            ask[i], ask[j], ask[spins + number] = first, second, own
            worst = linprog(-ask, matrix, limits, bounds=(0, 1), method="highs")
            if worst.status == 0 and -worst.fun > limit + CLOSE:
                p_i, p_j, q_ij = (written(value, 2) for value in worst.x[[i, j, spins + number]])
                message = (
                    f"A, r: {words} is missing, at least for the pair ({i}, {j}). The program allows p_i = {p_i}, "
                    f"p_j = {p_j}, q_ij = {q_ij}."
                )
                return message, number
    return None


def _ranges(matrix, limits, spins: int, pairs, number: int, title: str) -> Cells:
    """Draw the smallest and the largest q_ij of a pair, for p_i and p_j in {0, 1/2, 1}."""
    from scipy.optimize import linprog

    levels = list(itertools.product((0.0, 0.5, 1.0), repeat=2))
    expected = np.array([[max(0.0, p + q - 1), min(p, q)] for p, q in levels])
    given = np.full(expected.shape, np.nan)
    for row, level in enumerate(levels):
        bounds = [(0.0, 1.0)] * matrix.shape[1]
        for spin, value in zip(pairs[number], level, strict=True):
            bounds[spin] = value, value
        for column, sign in enumerate((1.0, -1.0)):
            ask = np.zeros(matrix.shape[1])
            ask[spins + number] = sign
            found = linprog(ask, matrix, limits, bounds=bounds, method="highs")
            if found.status == 0:
                given[row, column] = found.x[spins + number]
    differs = ~(np.abs(given - expected) <= CLOSE)
    i, j = pairs[number]
    title += f" Rows: values of p_{i}, p_{j}. Columns: the smallest and the largest q_{i}{j} that A and r "
    title += "allow (nan if they allow none)."
    rows = [f"{p:g}, {q:g}" for p, q in levels]
    return Cells(given, expected, differs, title, rows=rows, columns=["least", "most"])
