"""Polish: improve another solver's answer by single flips until none helps."""

import jax
import jax.numpy as jnp

from ..engine import planes, validate
from .base import AbstractSolver
from .coordinate_ascent import improve

MOST_PASSES = 100
"""Passes over all variables; a handful is usual, the limit is for ties that rounding turns into a circle."""


class Polished(AbstractSolver):
    """A solver whose answer is polished by coordinate ascent: one flip at a time, on an RBM one side at a time.

    The score never falls, and no single flip improves the result. It works on the answer alone: sweeps are the
    solver's own. Cost: every factor's row for each variable, a few times.
    """

    solver: AbstractSolver

    def __init__(self, solver: AbstractSolver):
        """Args: solver: whose answer is polished."""
        self.solver = validate.instance("solver", solver, AbstractSolver, "MaxProduct()")

    @property
    def on_host(self) -> bool:
        return self.solver.on_host

    def check(self, graph):
        self.solver.check(graph)

    def init(self, graph, unaries):
        return self.solver.init(graph, unaries)

    def sweep(self, graph, unaries, state):
        return self.solver.sweep(graph, unaries, state)

    def done(self, state):
        return self.solver.done(state)

    def progress(self, state):
        return self.solver.progress(state)

    def answer(self, graph, unaries, state):
        answer = self.solver.answer(graph, unaries, state)

        def again(carry):
            number, states, _ = carry
            states, flips = improve(graph, unaries, states)
            return number + 1, states, (flips > 0).any()

        start = jnp.int32(0), answer.states, jnp.bool_(True)
        going = lambda carry: carry[2] & (carry[0] < MOST_PASSES)  # noqa: E731
        states = jax.lax.while_loop(going, again, start)[1]
        score = graph.factor_score(states) + planes.dot(unaries, states)
        bound = None if answer.bound is None else jnp.maximum(answer.bound, score)  # they differ by rounding
        return answer._replace(states=states, score=score, bound=bound)
