"""Chains and trees: the exact MAP by one pass of max-product from the leaves to the root and back (Section 2.4)."""

from typing import ClassVar

import numpy as np

from .host import AbstractHostSolver


class TreePass(AbstractHostSolver):
    """Dynamic programming (Viterbi on a chain) on a forest of pairs, any number of states (Section 2.4); refuses loops.

    Pairs without effect (weight 0) do not count, and a pair that stands twice counts once. Cost: C^2 n, one pass.
    """

    exact: ClassVar[bool] = True

    def refuse(self, problem):
        walk(problem.pairs, problem.unaries.shape[1])

    def search(self, problem, scores):
        order, parent, edge = walk(problem.pairs, scores.shape[1])
        scores, choice = scores.copy(), {}
        for child in order[::-1]:
            if edge[child] < 0:
                continue
            table = problem.tables[edge[child]]  # rows: states of the lower id
            table = table if parent[child] < child else table.T
            total = table[:, :, None] + scores[None, :, child]  # (parent's states, child's states, batch)
            choice[child] = total.argmax(1)
            scores[:, parent[child]] += total.max(1)
        states = np.zeros(scores.shape[1:], int)
        copies = np.arange(scores.shape[2])
        for child in order:
            best = scores[:, child].argmax(0)
            states[child] = best if edge[child] < 0 else choice[child][states[parent[child]], copies]
        one_hot = (np.arange(scores.shape[0])[:, None, None] == states).astype(np.float64)
        return one_hot, np.full(len(copies), np.inf), np.ones(len(copies), bool)


def walk(pairs: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An order of all variables in which each comes after its parent, the parents, and the edges to them (-1: none).

    Raises: ValueError if the pairs have a loop.
    """
    from scipy import sparse
    from scipy.sparse import csgraph

    number = np.arange(1, len(pairs) + 1)
    edges = sparse.csr_array((number, (pairs[:, 0], pairs[:, 1])), (size, size))
    trees, label = csgraph.connected_components(edges, directed=False)
    if len(pairs) > size - trees:
        raise ValueError(
            f"model: expected a tree or a forest for TreePass, at most {size - trees} pairs, got {len(pairs)}, which "
            "have loops; use MaxProduct(), or Exhaustive() if it is small"
        )
    roots = np.unique(label, return_index=True)[1]
    above = sparse.csr_array((np.ones(trees, int), (np.full(trees, size), roots)), (size + 1, size + 1))
    edges.resize(size + 1, size + 1)
    order, parent = csgraph.breadth_first_order(edges + above, size, directed=False)
    edge = np.full(size, -1)
    lower, upper = pairs.T
    down = parent[upper] == lower
    edge[np.where(down, upper, lower)] = np.arange(len(pairs))
    return order[1:], parent, edge
