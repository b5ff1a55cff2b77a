"""Measured results of three samplers that learned the same graph (Section 5.4)."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ....measures import mmd as metrics
from ....measures.errors import mean_and_error
from ...experiments.graphs import lab, learn

GRAPHS = {"lattice": learn.LATTICE, "random graph": learn.RANDOM}
"""Name on the page -> name of the experiment."""
BUDGETS = ("sweeps", "time")
CLEAR = 2.0
"""Standard errors of a difference above which it is clear."""
REACH = {learn.LATTICE: 0.16, learn.RANDOM: 1.6}
"""Largest |W| that is drawn."""
SCALES = tuple(int(scale) for scale in metrics.SCALES)


class State(NamedTuple):
    """All methods on one graph: means over seeds, with standard errors."""

    graph: str
    """Its name in the experiment."""
    method: int
    """Index of the method that is looked at."""
    place: int
    """Index of its entry in the list of sweeps."""
    budget: str
    scale: int
    budgets: Float[np.ndarray, "methods sweeps"]
    """Sweeps, or seconds of learning and drawing: what is across."""
    seconds: Float[np.ndarray, "methods sweeps"]
    quality: Float[np.ndarray, "methods sweeps"]
    """MMD^2 in standard deviations of a perfect sampler's: 0 is as good as new data."""
    quality_error: Float[np.ndarray, "methods sweeps"]
    rmse: Float[np.ndarray, "methods sweeps"]
    rmse_error: Float[np.ndarray, "methods sweeps"]
    pixels: float
    """The quality of independent pixels."""
    ends: Int[np.ndarray, "pairs 2"]
    """The two spins of each pair."""
    true: Float[np.ndarray, " pairs"]
    learned: Float[np.ndarray, " pairs"]

    @property
    def best(self) -> list[int]:
        """Methods with the best samples at this number of sweeps, down to the first that is clearly worse (CLEAR)."""
        quality, error = self.quality[:, self.place], self.quality_error[:, self.place]
        first, *others = np.argsort(quality).tolist()
        near = lambda m: quality[m] - quality[first] <= CLEAR * np.hypot(error[m], error[first])  # noqa: E731
        return [first, *itertools.takewhile(near, others)]


def state(name: str, method: str, budget: str, sweeps: int, scale: int) -> State:
    """Look up the measured results for the name of a graph on the page."""
    graph = GRAPHS[name]
    table, g, m = lab.load(), learn.GRAPHS.index(graph), learn.METHODS.index(method)
    place, s = lab.SWEEPS.index(sweeps), SCALES.index(scale)
    quality, quality_error = mean_and_error(table["sigmas"][g, ..., s])
    rmse, rmse_error = mean_and_error(table["rmse"][g])
    seconds = table["seconds"][g].min(-1)  # the run that was disturbed least
    budgets = seconds if budget == "time" else np.broadcast_to(np.asarray(lab.SWEEPS, np.float32), seconds.shape)
    pairs = lab.pairs(graph)
    true, learned = learn.truth(graph, lab.NODES)[0][pairs], table[f"learned {graph}"][m, place].astype(np.float32)
    numbers = budgets, seconds, quality, quality_error, rmse, rmse_error, float(table[f"beside {graph}"][1, s])
    return State(graph, m, place, budget, scale, *numbers, np.stack(pairs, 1), true, learned)
