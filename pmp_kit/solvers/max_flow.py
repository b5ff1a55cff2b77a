"""Max-flow: the exact MAP of attractive binary models as a minimum cut (Greig, Porteous and Seheult 1989)."""

from typing import ClassVar

import numpy as np

from .host import AbstractHostSolver

LARGEST = 2**31 - 1
"""SciPy's flows are 32-bit integers."""


class MaxFlow(AbstractHostSolver):
    """The best x of sum_i u_i x_i + sum_e w_e x_i x_j with all w >= 0, as the cut that loses least.

    w x_i x_j = w/2 (x_i + x_j) - w/2 |x_i - x_j|: ones are what the source still reaches when the flow is at its
    most. Capacities are rounded to whole numbers, the total being 2^31: exact up to about a billionth of the sum of
    all weights. Cost: one flow a copy, one after the other, nearly linear in practice.
    """

    exact: ClassVar[bool] = True

    def refuse(self, problem):
        if problem.tables.shape[1] != 2:
            raise ValueError(
                f"model: expected binary variables for MaxFlow, got {problem.tables.shape[1]} states; use MPLP() or "
                "LinearProgram()"
            )
        weights = problem.tables[:, 1, 1]
        if (weights < 0).any():
            worst = int(weights.argmin())
            raise ValueError(
                f"model: expected an attractive model for MaxFlow (all weights >= 0), got {weights[worst]:.4g} between "
                f"variables {problem.pairs[worst].tolist()}; use MaxProduct(), or Exhaustive() if it is small"
            )

    def search(self, problem, scores):
        weights = problem.tables[:, 1, 1]
        field = scores[1] - scores[0]
        pull = np.zeros(scores.shape[1])
        np.add.at(pull, problem.pairs.reshape(-1), np.repeat(0.5 * weights, 2))
        field = field + pull[:, None]
        ones = np.stack([best_cut(problem.pairs, 0.5 * weights, one) for one in field.T], axis=1)
        fractional = np.stack([1.0 - ones, ones])
        return fractional, np.full(scores.shape[2], np.inf), np.ones(scores.shape[2], bool)


def best_cut(pairs: np.ndarray, capacity: np.ndarray, field: np.ndarray) -> np.ndarray:
    """The x that maximises field'x - sum_e capacity_e |x_i - x_j|; an infinite field fixes its variable."""
    from scipy import sparse
    from scipy.sparse import csgraph

    size = len(field)
    reach = np.zeros(size)  # a field beyond all capacities of a variable decides it alone
    np.add.at(reach, pairs.reshape(-1), np.repeat(capacity, 2))
    x = ((reach == 0) & (field > 0)).astype(np.float64)
    field = np.clip(field, -2.0 * reach, 2.0 * reach)
    source, sink, every = size, size + 1, np.arange(size)
    tails = np.concatenate([pairs[:, 0], pairs[:, 1], np.full(size, source), every])
    heads = np.concatenate([pairs[:, 1], pairs[:, 0], every, np.full(size, sink)])
    amount = np.concatenate([capacity, capacity, np.maximum(field, 0.0), np.maximum(-field, 0.0)])
    total = max(np.abs(field).sum() + 2 * capacity.sum(), np.finfo(float).tiny)
    whole = np.floor(amount / total * LARGEST).astype(np.int32)
    ends = tails.astype(np.int32), heads.astype(np.int32)  # SciPy 1.14 takes no other indices
    network = sparse.csr_array((whole, ends), (size + 2, size + 2))
    left = sparse.csr_array(network - csgraph.maximum_flow(network, source, sink).flow)
    left.eliminate_zeros()
    reached = csgraph.breadth_first_order(left, source, return_predecessors=False)
    x[reached[reached < size]] = 1.0
    return x
