"""Coordinate ascent (iterated conditional modes): set one variable after the other to its best state."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from ..engine import planes
from ..engine.planes import Planes
from ..graph import FactorGraph
from .base import AbstractSolver, Answer


class AscentState(NamedTuple):
    """States, and which copies no single flip improves."""

    states: Planes
    settled: Bool[Array, " batch"]


class CoordinateAscent(AbstractSolver):
    """From the best state of each variable on its own, flip single variables as long as the score rises (Appendix B.4).

    One sweep looks at every variable once, in order, so that an RBM is improved one whole side after the other. It
    ends where no single flip helps, which for coupled models is far from the best: the fast and poor MAP solver.
    Cost of a sweep: every factor's row for each variable, as Gibbs sampling.
    """

    def init(self, graph, unaries):
        return AscentState(planes.decode(unaries), jnp.zeros(unaries.shape[2:], bool))

    def sweep(self, graph, unaries, state):
        states, flips = improve(graph, unaries, state.states)
        return AscentState(states, flips == 0)

    def done(self, state):
        return state.settled

    def answer(self, graph, unaries, state):
        score = graph.factor_score(state.states) + planes.dot(unaries, state.states)
        return Answer(state.states, score, None, None, state.settled)


def improve(graph: FactorGraph, unaries: Planes, states: Planes) -> tuple[Planes, Int[Array, " batch"]]:
    """Set each variable in turn to its best state given all others, if that is better; and how many flipped."""
    order = jnp.arange(graph.variables.count, dtype=jnp.int32)[:, None]

    def flip(carry, block):
        states, flips = carry
        at, where = block
        field = graph.conditional(states, unaries, at, where)
        old, best = states[:, at], planes.decode(field)
        gain = jnp.sum(jnp.where(best == old, 0.0, field * (best - old)), axis=(0, 1))
        better = gain > 0
        return (states.at[:, at].set(jnp.where(better, best, old)), flips + better.astype(jnp.int32)), None

    start = states, jnp.zeros(states.shape[2:], jnp.int32)
    return jax.lax.scan(flip, start, (order, graph.locate(order)))[0]
