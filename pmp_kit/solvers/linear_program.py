"""The LP relaxation of MAP by SciPy's HiGHS: the reduced form of Appendix D, corrected, for any number of states."""

from typing import ClassVar

import numpy as np

from .host import AbstractHostSolver
from .normal_form import NormalForm

OPTIMAL = 0
"""SciPy's status of a program that was solved."""


class LinearProgram(AbstractHostSolver):
    """max over locally consistent marginals p, q of sum_i <u_i>_p + sum_e <theta_e>_q (Section 2.4 and Appendix D).

    For binary variables: max sum_ij w_ij q_ij + sum_i b_i p_i, each pair once (the print counts it twice), subject to
    q_ij <= p_i, q_ij <= p_j, p_i + p_j - 1 <= q_ij, 0 <= p <= 1, 0 <= q; the pairs of an RBM are all (i, j). For C
    states the same with p_i(c), q_ij(c, d) for c, d >= 1 and sums in place of single terms: n (C-1) + E (C-1)^2
    unknowns. Its value is an upper bound of the best score (`bound`); `marginals` is the fractional solution p, and
    the states are the largest of each, state 0 at a tie. Cost: one program a copy, one after the other.
    """

    exact: ClassVar[bool] = False

    def refuse(self, problem):
        """Any pairwise model will do."""

    def search(self, problem, scores):
        program = Program(problem, scores.shape[1])
        fractional, value = np.empty_like(scores), np.empty(scores.shape[2])
        solved = np.empty(scores.shape[2], bool)
        for copy in range(scores.shape[2]):
            fractional[..., copy], value[copy], solved[copy] = program.solve(scores[..., copy])
        return fractional, value, solved


class Program:
    """The constraints, which all copies share: A [p; q] <= b, sparse."""

    def __init__(self, problem: NormalForm, num_variables: int):
        """Args: problem: with E pairs of C states, over num_variables variables."""
        from scipy import sparse

        self.size, self.free = num_variables, problem.tables.shape[1] - 1
        free, edges = self.free, len(problem.pairs)
        self.weights = problem.tables[:, 1:, 1:].reshape(-1)
        eye, row = sparse.eye_array, np.ones((1, free))
        first, second = (
            selection(problem.pairs[:, side, None] * free + np.arange(free), num_variables * free) for side in (0, 1)
        )
        over_second = sparse.kron(eye(edges * free), row)  # sum_d q(c, d)
        over_first = sparse.kron(eye(edges), sparse.kron(row, eye(free)))  # sum_c q(c, d)
        of_edge, of_variable = sparse.kron(eye(edges), row), sparse.kron(eye(num_variables), row)
        self.matrix = sparse.block_array(
            [
                [-first, over_second],
                [-second, over_first],
                [of_edge @ (first + second), -(of_edge @ over_second)],
                [of_variable, None],
                [-of_variable, None],
            ],
            format="csr",
        )
        self.limits = np.concatenate([np.zeros(2 * edges * free), np.ones(edges), np.ones(num_variables)])

    def solve(self, scores: np.ndarray) -> tuple[np.ndarray, float, bool]:
        """Fractional solution (C, n), value, and whether it is optimal, for unary scores (C, n)."""
        from scipy.optimize import linprog

        allowed = np.isfinite(scores)
        reference = np.where(allowed[0], scores[0], 0.0)
        gain = np.where(allowed[1:], np.where(allowed, scores, 0.0)[1:] - reference, 0.0)
        upper = np.concatenate([allowed[1:].T.reshape(-1), np.ones(self.weights.size)])
        result = linprog(
            -np.concatenate([gain.T.reshape(-1), self.weights]),
            A_ub=self.matrix,
            b_ub=np.concatenate([self.limits, np.where(allowed[0], 0.0, -1.0)]),
            bounds=np.stack([np.zeros_like(upper), upper], 1),
            method="highs",
        )
        if result.status != OPTIMAL:
            return allowed / allowed.sum(0), np.inf, False
        p = result.x[: self.size * self.free].reshape(self.size, self.free).T
        return np.concatenate([1.0 - p.sum(0, keepdims=True), p]), reference.sum() - result.fun, True


def selection(columns: np.ndarray, width: int):
    """A sparse matrix whose row r picks column columns[r] of `width`."""
    from scipy import sparse

    rows = np.arange(columns.size)
    return sparse.csr_array((np.ones(rows.size), (rows, columns.reshape(-1))), (rows.size, width))
