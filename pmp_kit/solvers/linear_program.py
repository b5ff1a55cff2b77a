"""The linear-programming (LP) relaxation of MAP, solved by SciPy's HiGHS.

It uses the reduced form of Appendix D (corrected), extended to any number of states.
"""

from typing import ClassVar

import numpy as np

from .host import AbstractHostSolver
from .pairs import NormalForm, normal_form

OPTIMAL, INFEASIBLE = 0, 2
"""SciPy's status of a solved program, and of one without solutions, so that no configuration is possible."""
TOLERANCE = 1e-10
"""The smallest tolerance of HiGHS, relative to a largest gain of 1, so that small scores next to large ones matter."""


class LinearProgram(AbstractHostSolver):
    """The linear-programming (LP) relaxation of MAP on a pairwise model (Section 2.4 and Appendix D).

    It maximises sum_i <u_i>_p + sum_e <theta_e>_q over locally consistent marginals p, q. For binary variables this is

        max sum_ij w_ij q_ij + sum_i b_i p_i   subject to   q_ij <= p_i,  q_ij <= p_j,  p_i + p_j - 1 <= q_ij,
        0 <= p <= 1,  0 <= q

    with each pair counted once (the paper's text counts it twice). For C states, the unknowns are p_i(c) and
    q_ij(c, d) with c, d >= 1, and sums take the place of single terms. These are n (C-1) + E (C-1)^2 unknowns. Pairs of
    states with score -inf have q = 0.

    `bound` is an upper bound of the best score. It is computed from the dual variables, so it holds for any tolerance
    of HiGHS. `marginals` is the fractional solution p. The states maximise p for each variable, with ties broken in
    favour of state 0. Cost: one program for each batch element, one after the other.
    """

    exact: ClassVar[bool] = False

    def problem(self, pairs, tables, size):
        return normal_form(pairs, tables, size)

    def search(self, problem, scores):
        program = Program(problem, scores.shape[1])
        fractional, bound = np.empty_like(scores), np.empty(scores.shape[2])
        solved = np.empty(scores.shape[2], bool)
        for element in range(scores.shape[2]):
            fractional[..., element], bound[element], solved[element] = program.solve(scores[..., element])
        return fractional, bound, solved


class Program:
    """The sparse program max gain'[p; q] subject to A [p; q] <= b, with equality in the rows of forbidden states.

    All batch elements share A.
    """

    def __init__(self, problem: NormalForm, num_variables: int):
        """Args: problem: E pairs of variables with C states; num_variables: the number of variables."""
        from scipy import sparse

        self.size, self.free = num_variables, problem.tables.shape[1] - 1
        free, edges = self.free, len(problem.pairs)
        self.unaries, self.constant = problem.unaries, problem.constant
        self.possible = ~problem.forbidden[:, 1:, 1:].reshape(-1)
        self.weights = np.where(self.possible, problem.tables[:, 1:, 1:].reshape(-1), 0.0)
        eye, row = sparse.eye_array, np.ones((1, free))
        first, second = (
            selection(problem.pairs[:, side, None] * free + np.arange(free), num_variables * free) for side in (0, 1)
        )
        over_second = sparse.kron(eye(edges * free), row)  # sum_d q(c, d)
        over_first = sparse.kron(eye(edges), sparse.kron(row, eye(free)))  # sum_c q(c, d)
        of_edge, of_variable = sparse.kron(eye(edges), row), sparse.kron(eye(num_variables), row)
        blocks = [
            [-first, over_second],  # q(c, 0) >= 0
            [-second, over_first],  # q(0, d) >= 0
            [of_edge @ (first + second), -(of_edge @ over_second)],  # q(0, 0) >= 0
            [of_variable, None],  # p(0) >= 0
            [-of_variable, None],  # p(0) <= 1, or 0
        ]
        self.matrix = sparse.csr_array(sparse.block_array(blocks))
        forbidden = problem.forbidden
        equal = [forbidden[:, 1:, 0].reshape(-1), forbidden[:, 0, 1:].reshape(-1), forbidden[:, 0, 0]]
        self.equal = np.concatenate([*equal, np.zeros(2 * num_variables, bool)])
        self.limits = np.concatenate([np.zeros(2 * edges * free), np.ones(edges), np.ones(num_variables)])

    def solve(self, scores: np.ndarray) -> tuple[np.ndarray, float, bool]:
        """Return the fractional solution (C, n), the upper bound and whether it is optimal for unary scores (C, n)."""
        from scipy.optimize import linprog

        scores = scores + self.unaries
        allowed = np.isfinite(scores)
        reference = np.where(allowed[0], scores[0], 0.0)
        gain = np.where(allowed[1:], np.where(allowed, scores, 0.0)[1:] - reference, 0.0)
        gain = np.concatenate([gain.T.reshape(-1), self.weights])
        upper = np.concatenate([allowed[1:].T.reshape(-1), self.possible]).astype(np.float64)
        limits = np.concatenate([self.limits, np.where(allowed[0], 0.0, -1.0)])
        largest = np.abs(gain).max(initial=0.0) or 1.0
        result = linprog(
            -gain / largest,
            A_ub=self.matrix[~self.equal],
            b_ub=limits[~self.equal],
            A_eq=self.matrix[self.equal],
            b_eq=limits[self.equal],
            bounds=np.stack([np.zeros_like(upper), upper], 1),
            method="highs",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )
        if result.status != OPTIMAL:
            bound = -np.inf if result.status == INFEASIBLE else np.inf
            return allowed / np.maximum(allowed.sum(0), 1), bound, False
        dual = np.zeros(len(limits))
        dual[~self.equal] = np.maximum(-largest * result.ineqlin.marginals, 0.0)
        dual[self.equal] = -largest * result.eqlin.marginals
        bound = self.constant + reference.sum() + dual_bound(self.matrix, limits, gain, upper, dual)
        return self.distributions(result.x, allowed), bound, True

    def distributions(self, solution: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """Return p of every state, (C, n), exactly zero for excluded states."""
        p = solution[: self.size * self.free].reshape(self.size, self.free).T
        p = np.where(allowed, np.maximum(np.concatenate([1.0 - p.sum(0, keepdims=True), p]), 0.0), 0.0)
        return p / p.sum(0)


def dual_bound(matrix, limits: np.ndarray, gain: np.ndarray, upper: np.ndarray, dual: np.ndarray) -> float:
    """Return an upper bound of gain'x over all x in [0, upper] with A x <= limits, by weak duality.

    The bound is limits'y + sum_j upper_j max(0, gain_j - (A'y)_j). It holds for any dual variables y that are not
    negative in the rows of inequalities.
    """
    return float(limits @ dual + upper @ np.maximum(gain - matrix.T @ dual, 0.0))


def selection(columns: np.ndarray, width: int):
    """A sparse matrix whose row r picks column columns[r] of `width`."""
    from scipy import sparse

    rows = np.arange(columns.size)
    return sparse.csr_array((np.ones(rows.size), (rows, columns.reshape(-1))), (rows.size, width))
