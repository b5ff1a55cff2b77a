"""Solvers that work in NumPy and SciPy, outside the compiled code, on the normal form of a pairwise model."""

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from .. import planes
from .base import AbstractSolver, Answer
from .normal_form import NormalForm, normal_form
from .pairs import pair_model, unary_scores


class HostState(NamedTuple):
    """What the host found, for each copy."""

    fractional: Float[Array, "C n batch"]
    """Weight of every state of every variable; one-hot where the solution is integral."""
    value: Float[Array, " batch"]
    """An upper bound of the best score, from solvers that are not exact."""
    solved: Bool[Array, " batch"]


class AbstractHostSolver(AbstractSolver):
    """A direct solver: all its work is done in `init`, one copy after the other, by `search` on the host.

    It holds no numbers: inside compiled code they would have no values. Pairwise models only.
    """

    exact: ClassVar[bool]
    """Whether the states are the best there are, so that their score is the bound."""

    @abstractmethod
    def search(self, problem: NormalForm, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best of every copy: fractional (C, n, batch), value (batch,), solved (batch,).

        Args:
            scores: unary scores (C, n, batch) in 64 bits, -inf for excluded states.
        """

    @abstractmethod
    def refuse(self, problem: NormalForm) -> None:
        """Raise ValueError if this solver cannot solve the problem."""

    def check(self, graph):
        ids, tables = jax.jit(pair_model)(graph)
        self.refuse(normal_form(np.asarray(ids).T, np.asarray(tables), graph.variables.count))

    def init(self, graph, unaries):
        ids, tables = pair_model(graph)
        scores, constant = unary_scores(unaries, graph.variables.num_states)
        kind, batch = unaries.dtype, unaries.shape[2:]
        shapes = (
            jax.ShapeDtypeStruct(scores.shape, kind),
            jax.ShapeDtypeStruct(batch, kind),
            jax.ShapeDtypeStruct(batch, bool),
        )
        fractional, value, solved = jax.pure_callback(self.work, shapes, ids, tables, scores, vmap_method="sequential")
        return HostState(fractional, value + constant, solved)

    def work(self, ids, tables, scores) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The callback, NumPy in and out: the fields of a `HostState`."""
        ids, tables, scores = np.asarray(ids), np.asarray(tables), np.asarray(scores)
        problem = normal_form(ids.T, tables, scores.shape[1])
        self.refuse(problem)
        fractional, value, solved = self.search(problem, scores.astype(np.float64) + problem.unaries[..., None])
        kind = scores.dtype
        return fractional.astype(kind), (value + problem.constant).astype(kind), solved

    def sweep(self, graph, unaries, state):
        return state

    def done(self, state):
        return jnp.ones(state.solved.shape, bool)

    def answer(self, graph, unaries, state):
        chosen = jnp.argmax(state.fractional, axis=0)
        states = planes.from_states(chosen, unaries.shape[0], unaries.dtype)
        score = graph.factor_score(states) + planes.dot(unaries, states)
        if self.exact:
            return Answer(states, score, score, None, state.solved)
        return Answer(states, score, jnp.maximum(state.value, score), state.fractional, state.solved)
