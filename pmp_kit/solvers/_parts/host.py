"""Solvers that work in NumPy and SciPy, outside the compiled code, on all pairs of a pairwise model."""

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ...engine import planes
from ...engine.planes import Planes
from ..base import AbstractSolver, Answer
from .pairs import pair_model


class HostState(NamedTuple):
    """What the host found, for each batch element."""

    fractional: Float[Array, "C n batch"]
    """Weight of every state of every variable; one-hot where the solution is integral."""
    states: Planes
    """The states of largest weight."""
    score: Float[Array, " batch"]
    bound: Float[Array, " batch"]
    """An upper bound of the best score."""
    solved: Bool[Array, " batch"]


class AbstractHostSolver(AbstractSolver):
    """A direct solver: all its work is done in `init` by `search` on the host, one batch element after the other.

    It holds no numbers, because inside compiled code they would have no values. Pairwise models only.
    """

    on_host: ClassVar[bool] = True
    exact: ClassVar[bool]
    """Whether the states are the best there are, so that their score is the bound."""

    @abstractmethod
    def problem(self, pairs: np.ndarray, tables: np.ndarray, size: int) -> Any:
        """The model in the form that `search` works on; raises ValueError if this solver cannot solve it.

        Args:
            pairs: ids (E, 2).
            tables: scores (E, C, C), -inf where a pair of states is forbidden.
            size: the number n of variables.
        """

    @abstractmethod
    def search(self, problem: Any, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best of every batch element: fractional (C, n, batch), upper bound (batch,), solved (batch,).

        Args:
            scores: unary scores (C, n, batch) in 64 bits, -inf for excluded states.
        """

    def check(self, graph):
        ids, tables = jax.jit(pair_model)(graph)
        self.problem(np.asarray(ids).T, np.asarray(tables), graph.variables.count)

    def init(self, graph, unaries):
        ids, tables = pair_model(graph)
        scores = planes.counted(unaries, graph.variables.num_states)
        kind, batch = unaries.dtype, unaries.shape[2:]
        shapes = (
            jax.ShapeDtypeStruct(scores.shape, kind),
            jax.ShapeDtypeStruct(batch, kind),
            jax.ShapeDtypeStruct(batch, bool),
        )
        fractional, bound, solved = jax.pure_callback(self.work, shapes, ids, tables, scores, vmap_method="sequential")
        states = planes.from_states(jnp.argmax(fractional, axis=0), unaries.shape[0], kind)
        score = graph.factor_score(states) + planes.dot(unaries, states)
        return HostState(fractional, states, score, score if self.exact else jnp.maximum(bound, score), solved)

    def work(self, ids: Any, tables: Any, scores: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The callback, NumPy in and out: fractional solution, bound, solved."""
        ids, tables, scores = np.asarray(ids), np.asarray(tables), np.asarray(scores)
        problem = self.problem(ids.T, tables, scores.shape[1])
        fractional, bound, solved = self.search(problem, scores.astype(np.float64))
        return fractional.astype(scores.dtype), rounded_up(bound, scores.dtype), solved

    def sweep(self, graph, unaries, state):
        return state

    def done(self, state):
        return jnp.ones(state.solved.shape, bool)

    def progress(self, state):
        return state.score, state.bound

    def answer(self, graph, unaries, state):
        marginals = None if self.exact else state.fractional
        return Answer(state.states, state.score, state.bound, marginals, state.solved & (state.score > -jnp.inf))


def rounded_up(numbers: np.ndarray, kind) -> np.ndarray:
    """Numbers in the precision `kind`, never below what they were."""
    nearest = numbers.astype(kind)
    return np.where(nearest < numbers, np.nextafter(nearest, np.array(np.inf, kind)), nearest)
