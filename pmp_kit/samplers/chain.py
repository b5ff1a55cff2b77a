"""Markov chains: samplers whose state is the present states of the variables."""

import jax
import jax.numpy as jnp

from ..engine import planes
from ..engine.planes import Planes
from ..factors.hard import VIOLATION
from ..graph import FactorGraph
from ..noise import logistic
from .base import AbstractSampler, View, draw_each, fitting


class AbstractChain(AbstractSampler):
    """A Markov chain sampler that leaves p(x) invariant.

    Chains start from random states that agree with the evidence, or continue from `previous`. They are never finished.
    """

    def init(self, keys, graph, unaries, previous):
        if previous is None:
            noise = softmax_noise(keys, unaries)
            return planes.decode(jnp.where(jnp.isfinite(unaries), noise, unaries))
        fitting(previous, jax.Array, previous, unaries)
        return jnp.where(planes.excluded(unaries, previous), planes.decode(unaries), previous)

    def done(self, state):
        return jnp.zeros(state.shape[-1], bool)

    def view(self, graph, unaries, state):
        return View(graph, unaries, state, None)


def softmax_noise(keys, scores: Planes) -> Planes:
    """Return noise with which decoding samples each variable from the softmax of its scores (Gumbel-max trick)."""
    draw = logistic if scores.shape[0] == 1 else jax.random.gumbel
    return draw_each(draw, keys, scores.shape[:2], scores.dtype)


def log_weight(graph: FactorGraph, unaries: Planes, states: Planes):
    """Return log p(x) up to a constant that depends only on the unaries, (*batch).

    `states` must agree with the clamped unaries. The result is finite: each violated constraint subtracts VIOLATION
    nats. So differences of scores are never NaN, and chains move towards possible states.
    """
    return finite_weight(graph, unaries, states) - VIOLATION * graph.violations(states)


def finite_weight(graph: FactorGraph, unaries: Planes, states: Planes):
    """Return `log_weight` without the penalty for violated constraints."""
    return graph.finite_factor_score(states) - planes.shortfall(unaries, states)


def fields(graph: FactorGraph, unaries: Planes, states: Planes, where: tuple) -> Planes:
    """Return the log-conditionals of all variables, each given all others, (planes, n, *batch).

    Args:
        where: the result of `everywhere`.
    """
    return graph.conditional(states, unaries, jnp.arange(graph.variables.count, dtype=jnp.int32), where)


def finite_fields(graph: FactorGraph, unaries: Planes, states: Planes, where: tuple) -> tuple[Planes, Planes | float]:
    """Return `fields` without penalties, and the number of violated constraints for each state of each variable."""
    every = jnp.arange(graph.variables.count, dtype=jnp.int32)
    field, broken = graph.finite_conditional(states, unaries, every, where)
    return field, 0.0 if broken is None else broken


def everywhere(graph: FactorGraph) -> tuple:
    """Return the positions of all variables in each factor, for `fields`."""
    return graph.locate(jnp.arange(graph.variables.count, dtype=jnp.int32))
