"""Solvers of pairwise models that run in NumPy and SciPy on the host, outside compiled code."""

from abc import abstractmethod
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import planes
from ..engine.chunks import Workload
from .base import AbstractSolver, Answer
from .pairs import pair_arrays, pair_model


class AbstractHostSolver(AbstractSolver):
    """A direct solver for pairwise models: `init` calls `search` on the host, and its state is the answer.

    It has no numeric hyperparameters, because these would be traced inside compiled code.
    """

    workload: ClassVar[Workload] = "host"
    exact: ClassVar[bool]
    """Whether the states always have the best score, so that their score is also the bound."""

    @abstractmethod
    def problem(self, pairs: np.ndarray, tables: np.ndarray, size: int) -> Any:
        """Return the model in the form that `search` needs. Raise ValueError if the solver does not support it.

        Args:
            pairs: ids (E, 2).
            tables: scores (E, C, C), -inf for forbidden pairs of states.
            size: the number n of variables.
        """

    @abstractmethod
    def search(self, problem: Any, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the fractional solutions (C, n, batch), upper bounds (batch,) and whether solved (batch,).

        Args:
            problem: the result of `problem`.
            scores: unary scores (C, n, batch) in 64-bit precision, -inf for excluded states.
        """

    def check(self, graph):
        self.problem(*pair_arrays(graph), graph.variables.count)

    def init(self, graph, unaries):
        model, kind, batch = pair_model(graph, unaries), unaries.dtype, unaries.shape[2:]
        shapes = (
            jax.ShapeDtypeStruct(model.scores.shape, kind),
            jax.ShapeDtypeStruct(batch, kind),
            jax.ShapeDtypeStruct(batch, bool),
        )
        fractional, bound, solved = jax.pure_callback(self.work, shapes, *model, vmap_method="sequential")
        states = planes.from_states(jnp.argmax(fractional, axis=0), unaries.shape[0], kind)
        score = graph.score_with(unaries, states)
        bound, marginals = (score, None) if self.exact else (jnp.maximum(bound, score), fractional)
        return Answer(states, score, bound, marginals, solved & (score > -jnp.inf))

    def work(self, pairs: Any, tables: Any, scores: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the fractional solutions, bounds and solved flags as NumPy arrays. This is the host callback."""
        pairs, tables, scores = np.asarray(pairs), np.asarray(tables), np.asarray(scores)
        problem = self.problem(pairs, tables, scores.shape[1])
        fractional, bound, solved = self.search(problem, scores.astype(np.float64))
        return fractional.astype(scores.dtype), rounded_up(bound, scores.dtype), solved

    def sweep(self, graph, unaries, state):
        return state

    def done(self, state):
        return jnp.ones(state.score.shape, bool)

    def answer(self, graph, unaries, state):
        return state


def rounded_up(numbers: np.ndarray, kind) -> np.ndarray:
    """Return the numbers in the precision `kind`, rounded upwards."""
    nearest = numbers.astype(kind)
    return np.where(nearest < numbers, np.nextafter(nearest, np.array(np.inf, kind)), nearest)
