"""Markov chains: samplers whose only state is the present states of the variables."""

import jax
import jax.numpy as jnp

from .. import planes
from ..graph import FactorGraph
from ..planes import Planes
from .base import AbstractSampler, View, draw_each, fitting, never


class AbstractChain(AbstractSampler):
    """A sampler that leaves p(x) invariant: each sweep changes the states at random, n variables or n proposals.

    Chains start from random states that agree with the evidence, or go on from `previous`; they are never done.
    """

    def init(self, keys, graph, unaries, previous):
        if previous is None:
            noise = softmax_noise(keys, unaries)
            return planes.decode(jnp.where(jnp.isfinite(unaries), noise, unaries))
        fitting(previous, jax.Array, previous, unaries.shape)
        return jnp.where(planes.clamped(unaries), planes.decode(unaries), previous)

    def done(self, state):
        return never(state.shape[-1])

    def view(self, graph, unaries, state):
        return View(graph, unaries, state, None)

    def keep(self, state):
        return state


def softmax_noise(keys, scores: Planes) -> Planes:
    """Noise with which decoding draws each variable from its softmax: logistic on log-odds, else Gumbel."""
    return draw_each(planes.softmax_noise(scores), keys, scores.shape[:2], scores.dtype)


def log_weight(graph: FactorGraph, unaries: Planes, states: Planes):
    """Theta . Phi(x) = log p(x) up to a constant, (*batch); `states` must agree with the clamps of `unaries`."""
    return graph.factor_score(states) + planes.dot(unaries, states)


def fields(graph: FactorGraph, unaries: Planes, states: Planes, where: tuple) -> Planes:
    """Log-conditionals of all variables, each given all others: (planes, n, *batch).

    Args:
        where: from `everywhere`.
    """
    return graph.conditional(states, unaries, jnp.arange(graph.variables.count, dtype=jnp.int32), where)


def everywhere(graph: FactorGraph) -> tuple:
    """Where all variables are in each factor, for `fields`."""
    return graph.locate(jnp.arange(graph.variables.count, dtype=jnp.int32))
