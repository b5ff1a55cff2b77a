"""The best configuration so far, its score in 64 bits, who found it, and whether it is proved to be the best one."""

import time

import numpy as np

from .. import run
from ..engine.planes import FREE
from ..engine.progress import bar
from ..graph import FactorGraph
from .elimination import Problem, reduced
from .tables import Table, score_of, tables_of

ROUNDING = 1e-12
"""The part of the terms of a score or a bound that 64-bit sums may miss."""


class Best:
    """What the members of a search share: the model, the time and the best configuration.

    Args:
        evidence: flat evidence (n,).
        seconds: the time of the search.
        shown: the progress bar, in seconds.
    """

    def __init__(self, graph: FactorGraph, evidence: np.ndarray, seconds: float, shown: bar):
        self.graph, self.evidence, self.shown = graph, evidence, shown
        self.begin, self.seconds = time.monotonic(), seconds
        self.deadline = self.begin + seconds
        self.told = self.begin
        self.states = self._first()
        self.score, self.found_by, self.proved, self.bound = -np.inf, "the unaries", False, np.inf
        self.tried = False  # whether a member that compiles has finished a step
        self.tables: list[Table] | None = None
        self.problem: Problem | None = None

    def _first(self) -> np.ndarray:
        """Return the states with the highest unaries that agree with the evidence."""
        scores = np.where(self.graph.allowed_states(), np.asarray(self.graph.unaries), -np.inf)
        return np.where(self.evidence == FREE, scores.argmax(1), self.evidence).astype(np.int32)

    def tabulate(self) -> Problem | None:
        """Return the tables given the evidence, and keep them; None if a factor has none."""
        self.tables = tables_of(self.graph)
        if self.tables is not None:
            self.problem = reduced(self.tables, self.graph.variables.cardinalities, self.evidence)
        self.offer(self.states, self.found_by)
        return self.problem

    def started(self) -> bool:
        """Return whether the search has more than the highest unaries to return when the time ends."""
        return self.tried or self.problem is not None

    def left(self) -> float:
        """Return the seconds that are left, and show them."""
        now = time.monotonic()
        self.shown.update(now - self.told)
        self.told = now
        return self.deadline - now

    def value(self, states: np.ndarray) -> tuple[float, float]:
        """Return the score of states, and the rounding error that it may have, in nats."""
        if self.tables is not None:
            score, size = score_of(self.tables, states)
            return score, ROUNDING * size
        score = float(run.score(self.graph, np.asarray(states)))
        return score, float(np.finfo(np.float32).eps) * max(1.0, abs(score)) * 8.0

    def offer(self, states: np.ndarray, found_by: str) -> bool:
        """Keep the states if their score is higher; return whether it is."""
        score = self.value(states)[0]
        better = score > self.score + ROUNDING * abs(self.score) if np.isfinite(self.score) else score > self.score
        if better:
            self.states, self.score, self.found_by = np.array(states, np.int32), score, found_by
        return better

    def offer_many(self, states: np.ndarray, scores: np.ndarray, found_by: str, number: int = 3) -> bool:
        """Offer the best of states (n, batch) by their scores in the model's own precision."""
        self.tried = True
        order = np.argsort(-scores)[:number]
        return max(self.offer(states[:, k], found_by) for k in order)

    def prove(self, bound: float, rounding: float, found_by: str = "") -> None:
        """Take an upper bound in nats, which proves the best score if it is reached up to the rounding of sums.

        An exact member gives its name: it counts as the finder, also if the states were found before.
        """
        if self.tables is None:
            return
        self.bound = min(self.bound, bound)
        score, own = self.value(self.states)
        self.proved |= bool(self.bound <= score + (own + rounding))
        if self.proved and found_by:
            self.found_by = found_by
