"""An upper bound of pairwise models by MPLP, evaluated in 64-bit precision."""

import jax
import numpy as np

from .. import run
from ..graph import FactorGraph
from ..solvers import MPLP
from ..solvers.pairs import pair_arrays


@jax.jit
def begin(graph: FactorGraph, solver: MPLP, unaries):
    """Return the state before the first sweep."""
    return solver.init(graph, unaries)


@jax.jit
def advance(graph: FactorGraph, solver: MPLP, unaries, state, first, until):
    """Return the state after more sweeps, and the states found, as planes."""
    state, _ = run.solver_sweeps(solver, graph, unaries, state, first, until)
    return state, state.best


class Dual:
    """The dual value of messages: sum_i max [u_i + messages] + sum_e max [theta_e - messages], in 64 bits.

    It is an upper bound of the best score for any messages.
    """

    def __init__(self, graph: FactorGraph, evidence: np.ndarray):
        self.pairs, tables = pair_arrays(graph)
        self.tables = tables.astype(np.float64)
        self.scores = np.where(graph.possible_states(evidence), np.asarray(graph.unaries, np.float64), -np.inf)

    def value(self, messages: np.ndarray) -> tuple[float, float]:
        """Return the bound for messages (E, 2, C), and the sum of the absolute values of its terms."""
        messages, beliefs = messages.astype(np.float64), self.scores.copy()
        for side in (0, 1):
            np.add.at(beliefs, self.pairs[:, side], messages[:, side])
        excluded = np.isneginf(beliefs)
        ends = [np.where(excluded[self.pairs[:, s]], -np.inf, -messages[:, s]) for s in (0, 1)]
        edges = (self.tables + ends[0][:, :, None] + ends[1][:, None]).max((1, 2))
        nodes = beliefs.max(1)
        return float(nodes.sum() + edges.sum()), float(np.abs(nodes).sum() + np.abs(edges).sum())
