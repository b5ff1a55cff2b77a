"""Appendix D: the linear programming (LP) relaxation of the highest-scoring configuration (MAP) of an Ising model.

The module has the standard form and the paper's reduced form. Both use the paper's indexing: a variable q_ij for each
ordered pair i != j, so each coupling enters twice, with half its weight. The printed objectives omit some factors
(x_i x_j and x_i in the standard one, the 1/2 in the reduced one). They are included here.
"""

import time
from typing import NamedTuple

import numpy as np

from .log_partition import glass


class Program(NamedTuple):
    """max c'z subject to A z <= b, A_equal z = b_equal, z >= 0; the first n entries of z are the p_i(x_i = 1)."""

    objective: np.ndarray
    matrix: np.ndarray
    limits: np.ndarray
    equal_matrix: np.ndarray
    equal_limits: np.ndarray
    spins: int

    @property
    def variables(self) -> int:
        """Number of variables."""
        return self.objective.size

    @property
    def constraints(self) -> int:
        """Number of rows, plus one lower bound for each variable whose sign does not follow from the rows."""
        told = self.variables if len(self.equal_limits) else self.variables - self.spins  # reduced: p >= 0 follows
        return len(self.limits) + len(self.equal_limits) + told

    def solve(self) -> tuple[np.ndarray, float]:
        """Solve the program with SciPy's HiGHS. Returns: the fractions p, (n,), and the optimal value."""
        from scipy.optimize import linprog

        equal = (self.equal_matrix, self.equal_limits) if len(self.equal_limits) else (None, None)
        rows = (self.matrix, self.limits) if len(self.limits) else (None, None)
        result = linprog(-self.objective, *rows, *equal, method="highs")
        if result.status:
            raise RuntimeError(f"the linear program was not solved: {result.message}")
        return result.x[: self.spins], -result.fun


def ordered_pairs(spins: int) -> np.ndarray:
    """Return all (i, j) with i != j, (n (n - 1), 2)."""
    return np.argwhere(~np.eye(spins, dtype=bool))


def reduced(weight: np.ndarray, bias: np.ndarray) -> Program:
    """Build the paper's reduced program: n^2 variables p_i, q_ij = q_ij(1, 1), and 4 n^2 - 3 n constraints."""
    spins = len(bias)
    pairs = ordered_pairs(spins)
    first, second = np.eye(spins)[pairs[:, 0]], np.eye(spins)[pairs[:, 1]]
    own, nothing = np.eye(len(pairs)), np.zeros((spins, len(pairs)))
    matrix = np.block([[-first, own], [-second, own], [first + second, -own], [np.eye(spins), nothing]])
    limits = np.concatenate([np.zeros(2 * len(pairs)), np.ones(len(pairs) + spins)])
    objective = np.concatenate([bias, 0.5 * weight[pairs[:, 0], pairs[:, 1]]])
    return Program(objective, matrix, limits, np.zeros((0, objective.size)), np.zeros(0), spins)


def standard(weight: np.ndarray, bias: np.ndarray) -> Program:
    """Build the standard program: variables p_i(x_i) and q_ij(x_i, x_j), 4 n^2 - 2 n in all; 9 n^2 - 6 n constraints.

    z contains p_i(1), then p_i(0), then q_ij(0, 0), q_ij(0, 1), q_ij(1, 0), q_ij(1, 1) for each ordered pair.
    """
    spins = len(bias)
    pairs = ordered_pairs(spins)
    count = len(pairs)
    one = [np.eye(spins)[pairs[:, side]] for side in (0, 1)]
    no, own = np.zeros((count, spins)), np.eye(count)
    at = {(a, b): np.kron(own, np.eye(4)[2 * a + b]) for a in (0, 1) for b in (0, 1)}  # (pairs, 4 pairs)
    rows = [np.hstack([np.eye(spins), np.eye(spins), np.zeros((spins, 4 * count))])]
    rows.append(np.hstack([no, no, sum(at.values())]))
    for state in (0, 1):
        alone = ([-one[side], no] if state else [no, -one[side]] for side in (0, 1))
        summed = at[state, 0] + at[state, 1], at[0, state] + at[1, state]
        rows += [np.hstack([*p, q]) for p, q in zip(alone, summed, strict=True)]
    sums = np.concatenate([np.ones(spins + count), np.zeros(4 * count)])
    coupled = 0.5 * weight[pairs[:, 0], pairs[:, 1]]
    objective = np.concatenate([bias, np.zeros(spins), np.kron(coupled, np.eye(4)[3])])
    return Program(objective, np.zeros((0, objective.size)), np.zeros(0), np.concatenate(rows), sums, spins)


def compare(*, spins: int, models: int, seed: int) -> dict:
    """Solve both forms on perturbed random models.

    Returns: the largest differences of the values and of the fractions, the share of fractions that are one half for
        each model, and the mean seconds of each form.
    """
    draw, seconds = np.random.default_rng(seed), {"standard": 0.0, "reduced": 0.0}
    value_gap, fraction_gap, halves = 0.0, 0.0, []
    for model in range(models):
        ising = glass(1000 * seed + model, spins)
        weight = np.asarray(ising.weight, np.float64)
        bias = np.asarray(ising.bias, np.float64) + draw.logistic(size=spins)
        found = {}
        for build in (standard, reduced):
            program = build(weight, bias)
            start = time.perf_counter()
            found[build.__name__] = program.solve()
            seconds[build.__name__] += (time.perf_counter() - start) / models
        (p, value), (other, other_value) = found["reduced"], found["standard"]
        value_gap = max(value_gap, abs(value - other_value))
        fraction_gap = max(fraction_gap, float(np.abs(p - other).max()))
        halves.append((np.abs(p - 0.5) < 1e-6).mean())
    named = {f"seconds_{name}": each for name, each in seconds.items()}
    return {"value_gap": value_gap, "fraction_gap": fraction_gap, "halves": np.array(halves)} | named
