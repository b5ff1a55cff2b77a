"""Polish: improve the answer of another solver by changes of single variables."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ..engine import checks
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..graph import FactorGraph
from .base import AbstractSolver, Answer
from .coordinate_ascent import improve

MOST_PASSES = 100
"""The most passes over all variables. A few are typical; the limit prevents endless loops among ties by rounding."""


class Polished(AbstractSolver):
    """A solver whose answer is improved by coordinate ascent, one variable at a time.

    The score never decreases, and changing a single variable of the result does not raise it (unless 100 passes are too
    few). The sweeps are those of the inner solver; coordinate ascent starts from its final answer. Cost: that of the
    inner solver plus a few passes over all variables, one variable after the other. A pass of n variables needs n
    steps, each with one conditional for each sample, also on a GPU. (On two cores, 216,000 spins took about a second.)
    """

    solver: AbstractSolver

    def __init__(self, solver: AbstractSolver):
        """Args: solver: the inner solver. Raises: TypeError if it is not a solver."""
        self.solver = checks.instance("solver", solver, AbstractSolver, "MaxProduct()")

    @property
    def workload(self) -> Workload:
        return self.solver.workload

    @property
    def inspect(self) -> Callable[..., Any] | None:
        return self.solver.inspect

    def check(self, graph):
        self.solver.check(graph)

    def init(self, graph, unaries):
        return self.solver.init(graph, unaries)

    def sweep(self, graph, unaries, state):
        return self.solver.sweep(graph, unaries, state)

    def done(self, state):
        return self.solver.done(state)

    def answer(self, graph, unaries, state):
        return polished(graph, unaries, self.solver.answer(graph, unaries, state))


def polished(graph: FactorGraph, unaries: Planes, answer: Answer) -> Answer:
    """Return the answer with its states and score after coordinate ascent."""

    def again(carry):
        number, states, _ = carry
        states, changes = improve(graph, unaries, states)
        return number + 1, states, (changes > 0).any()

    start = jnp.int32(0), answer.states, jnp.bool_(True)
    going = lambda carry: carry[2] & (carry[0] < MOST_PASSES)  # noqa: E731
    states = jax.lax.while_loop(going, again, start)[1]
    score = graph.score_with(unaries, states)
    bound = None if answer.bound is None else jnp.maximum(answer.bound, score)  # they differ by rounding
    return answer._replace(states=states, score=score, bound=bound)
