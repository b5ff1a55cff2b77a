"""The exact highest-scoring configuration of a chain or tree by max-product in both directions (Section 2.4)."""

from collections.abc import Callable
from typing import ClassVar, NamedTuple

import numpy as np

from ..factors.two_colouring import spanning_forest
from .host import AbstractHostSolver
from .pairs import merged

ROOT = -1
"""The entry in `parent` of a root, which has no parent."""


class TreePass(AbstractHostSolver):
    """Dynamic programming on a forest of pairs with any number of states (Section 2.4).

    On a chain this is the Viterbi algorithm. Models with loops raise ValueError. Loops are found from the wiring and
    not from the weights: a pair of weight 0 is a pair, and a pair that is given twice counts once. Tables may contain
    -inf. It needs no sweeps. Cost: C^2 n for each batch element.
    """

    exact: ClassVar[bool] = True

    def problem(self, pairs, tables, size):
        return tree_of(pairs, tables, size, "TreePass", "MaxProduct(), or Exhaustive() if it is small")

    def search(self, problem, scores):
        states = two_passes(problem, scores, np.maximum.reduce, lambda given, child: given.argmax(0))
        one_hot = (np.arange(len(scores))[:, None, None] == states).astype(np.float64)
        batch = scores.shape[2]
        return one_hot, np.full(batch, np.inf), np.ones(batch, bool)


class Tree(NamedTuple):
    """A forest of pairs, each variable after its parent."""

    order: list[int]
    """All n variables, in an order in which each follows its parent."""
    parent: list[int]
    """The parent of each variable, or ROOT."""
    edge: list[int]
    """The pair that joins each variable to its parent, or -1 for a root."""
    tables: np.ndarray
    """Scores of each pair, (E, C, C); rows are states of the variable with the lower id."""

    def table(self, child: int) -> np.ndarray:
        """Return the scores of a variable and its parent, (C, C); rows are states of the parent."""
        table = self.tables[self.edge[child]]
        return table if self.parent[child] < child else table.T


def two_passes(
    tree: Tree, scores: np.ndarray, combine: Callable[..., np.ndarray], choose: Callable[[np.ndarray, int], np.ndarray]
) -> np.ndarray:
    """Return states (n, batch): combine the scores from the leaves to the roots, then choose from the roots down.

    If no configuration is possible, the states are the maximisers of the unary scores, which agree with the evidence.

    Args:
        tree: the forest.
        scores: unary scores (C, n, batch), which are -inf for states that contradict the evidence.
        combine: a function (scores, axis) that reduces the axis of the child's states: the maximum or the log-sum.
        choose: a function (scores of the states given the parent's state (C, batch), variable) -> states (batch,).
    """
    total = scores.copy()  # of the subtree of each variable, for each of its states
    for child in tree.order[::-1]:
        parent = tree.parent[child]
        if parent != ROOT:  # (parent's states, child's states, batch)
            total[:, parent] += combine(tree.table(child)[:, :, None] + total[None, :, child], axis=1)
    states = np.zeros(scores.shape[1:], int)
    for child in tree.order:
        parent, below = tree.parent[child], total[:, child]
        states[child] = choose(below if parent == ROOT else tree.table(child)[states[parent]].T + below, child)
    possible = (total[:, np.array(tree.parent) == ROOT].max(0) > -np.inf).all(0)
    return np.where(possible, states, scores.argmax(0))


def tree_of(pairs: np.ndarray, tables: np.ndarray, size: int, name: str, instead: str) -> Tree:
    """Return the forest of pairs (E, 2) with tables (E, C, C).

    Raises: ValueError if the pairs have a loop; the text names the algorithm `name` and suggests `instead`.
    """
    pairs, tables = merged(pairs, tables)
    order, parent = spanning_forest(pairs.T, size)
    trees = int((parent == size).sum())
    if len(pairs) > size - trees:
        raise ValueError(
            f"model: expected a tree or a forest for {name}, at most {size - trees} pairs, got {len(pairs)}, which "
            f"have loops; use {instead}"
        )
    edge = np.full(size, -1)
    lower, upper = pairs.T
    down = parent[upper] == lower
    edge[np.where(down, upper, lower)] = np.arange(len(pairs))
    return Tree(order.tolist(), np.where(parent == size, ROOT, parent).tolist(), edge.tolist(), tables)
