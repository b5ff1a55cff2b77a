"""Elimination of all variables but a few that keep their state: changes of most variables at once."""

import numpy as np

from .elimination import Problem, best_states, condition
from .order import check_time, greedy_order
from .tables import Table, score_of

SMALL, LARGE = 2**10, 2**16
"""The limits of a joint table at the first and at the last of LEVELS."""
LEVELS = (SMALL, 2**13, LARGE)
PATIENCE = 6
"""The changes without a gain after which the next level, or another start, is tried."""
LUCK = 1e-9
"""The part of the largest score that breaks ties at random, so that equal states are visited in turn."""


class Landscape:
    """The tables with a finite penalty for each forbidden entry, so that impossible states can be improved."""

    def __init__(self, problem: Problem):
        finite = [np.where(np.isneginf(table), 0.0, table) for _, table in problem.tables]
        spread = sum(float(np.ptp(table)) for table in finite)
        self.problem, self.penalty = problem, 2.0 * spread + 1.0
        pairs = zip(problem.tables, finite, strict=True)
        self.tables: list[Table] = [
            (ids, np.where(np.isneginf(table), -self.penalty, kept)) for (ids, table), kept in pairs
        ]
        self.scale = max((float(np.ptp(table)) for table in finite), default=0.0) or 1.0

    def score(self, states: np.ndarray) -> float:
        """Return the score of states (n,) with penalties, without the constant of the evidence."""
        return score_of(self.tables, states)[0]

    def random(self, states: np.ndarray, rng: np.random.Generator, share: float = 1.0) -> np.ndarray:
        """Return states in which about a share of the free variables are drawn anew: one and those around it."""
        free = list(self.problem.near)
        if share == 1.0:
            chosen = free
        else:
            chosen, seen, wanted = [free[rng.integers(len(free))]], set(), max(2, int(share * len(free)))
            for i in chosen:  # it grows while it is read
                if len(chosen) >= wanted:
                    break
                new = self.problem.near[i] - seen
                seen |= new
                chosen += new
        states = states.copy()
        states[chosen] = rng.integers(0, self.problem.sizes[chosen])
        return states

    def improved(self, states: np.ndarray, most: float, rng: np.random.Generator, deadline: float) -> np.ndarray:
        """Return the best states given those of a few variables, chosen so that no table has more than `most` entries.

        The score with penalties does not fall. Raises: OutOfTime.
        """
        near, sizes = self.problem.near, self.problem.sizes
        order, fixed = greedy_order(near, sizes, most, deadline, "size", rng, condition=True)
        left, _ = condition(self.tables, {i: int(states[i]) for i in fixed})
        check_time(deadline)
        assert order is not None
        luck = [((i,), LUCK * self.scale * rng.random(sizes[i])) for i in order]
        return best_states([*left, *luck], order, states, deadline)[0]

    def climbed(self, states: np.ndarray, rng: np.random.Generator, deadline: float):
        """Yield the states after each change, at ever larger limits, until PATIENCE changes did not raise the score."""
        best = self.score(states)
        for most in LEVELS:
            failures = 0
            while failures < PATIENCE:
                states = self.improved(states, most, rng, deadline)
                score = self.score(states)
                failures = 0 if score > best + LUCK * abs(best) else failures + 1
                best = max(best, score)
                yield states, score
