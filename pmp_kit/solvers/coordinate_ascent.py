"""Coordinate ascent (iterated conditional modes): set one variable after another to its best state."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from ..engine import planes
from ..engine.planes import Planes
from ..graph import FactorGraph
from .base import AbstractSolver, Answer


class AscentState(NamedTuple):
    """The present states, and which batch elements cannot be improved by changing one variable."""

    states: Planes
    settled: Bool[Array, " batch"]


class CoordinateAscent(AbstractSolver):
    """Change single variables as long as the score rises (iterated conditional modes, Appendix B.4).

    The start is the state with the highest unary for each variable. One sweep visits every variable once, in order, so
    an RBM (restricted Boltzmann machine) is improved one layer after the other. The solver stops if no change of a
    single variable raises the score. This solver is fast, but for coupled models its result is far from the best
    score. Cost of a sweep: the conditional of each variable, as in Gibbs sampling.
    """

    def init(self, graph, unaries):
        return AscentState(planes.decode(unaries), jnp.zeros(unaries.shape[2:], bool))

    def sweep(self, graph, unaries, state):
        states, changes = improve(graph, unaries, state.states)
        return AscentState(states, changes == 0)

    def done(self, state):
        return state.settled

    def answer(self, graph, unaries, state):
        score = graph.score_with(unaries, state.states)
        return Answer(state.states, score, None, None, state.settled)


def improve(graph: FactorGraph, unaries: Planes, states: Planes) -> tuple[Planes, Int[Array, " batch"]]:
    """Set each variable in turn to its best state given all others, if this raises the score.

    The changes are counted after the last variable. A count in each step would also read the states, so XLA would copy
    all of them in each step.

    Returns: the states, and the number of changed variables, (batch,).
    """
    order = jnp.arange(graph.variables.count, dtype=jnp.int32)[:, None]

    def flip(states, block):
        at, where = block
        field = graph.conditional(states, unaries, at, where)
        old, best = states[:, at], planes.decode(field)
        gain = jnp.sum(jnp.where(best == old, 0.0, field * (best - old)), axis=(0, 1))
        return states.at[:, at].set(jnp.where(gain > 0, best, old)), None

    new = jax.lax.scan(flip, states, (order, graph.locate(order)))[0]
    return new, (new != states).any(0).sum(0, dtype=jnp.int32)
