"""Exhaustive search: the exact highest-scoring configuration of a small model."""

from typing import Any

import jax
import jax.numpy as jnp

from .. import exact
from ..engine import planes
from .base import AbstractSolver, Answer, top_score

BLOCK = 2**12
"""Number of joint states that are scored at once, so that many batch elements fit in memory."""


class Exhaustive(AbstractSolver):
    """The exact highest-scoring configuration (MAP, maximum a posteriori) by scoring all M joint states, at most 2^20.

    It needs no sweeps. Cost: M (n + number of factors) for the scores, and M n for each batch element.
    """

    def init(self, graph, unaries):
        total = exact.num_configurations(graph.variables)

        def search(number, best):
            index = jnp.minimum(number * BLOCK + jnp.arange(min(BLOCK, total), dtype=jnp.int32), total - 1)
            states = planes.from_states(exact.digits_of(index, graph.variables), unaries.shape[0], unaries.dtype)
            scores = graph.factor_score(states)[:, None] + relative_unary_score(states, unaries)
            here = jnp.argmax(scores, axis=0)
            score = jnp.take_along_axis(scores, here[None], axis=0)[0]
            better = score > best[0]
            return jnp.where(better, score, best[0]), jnp.where(better, index[here], best[1])

        batch = unaries.shape[2:]
        nothing = jnp.full(batch, -jnp.inf, unaries.dtype), jnp.zeros(batch, jnp.int32)
        relative, index = jax.lax.fori_loop(0, -(-total // BLOCK), search, nothing)
        return relative + top_score(unaries), index

    def sweep(self, graph, unaries, state):
        return state

    def done(self, state: Any):
        return jnp.ones(state[0].shape, bool)

    def answer(self, graph, unaries, state):
        score, index = state
        states = planes.from_states(exact.digits_of(index, graph.variables), unaries.shape[0], unaries.dtype)
        possible = score > -jnp.inf
        states = jnp.where(possible, states, planes.decode(unaries))  # these agree with the evidence
        return Answer(states, score, score, None, possible)


def relative_unary_score(states, unaries):
    """Return the unary score minus `top_score`, (M, batch), of states (planes, n, M) for unaries (planes, n, batch).

    Excluded states get -inf.
    """
    over = ((0, 1), (0, 1))
    if states.shape[0] == 1:  # state 0 as a second plane
        states = jnp.concatenate([1.0 - states, states])
        unaries = planes.counted(unaries, 2)
    missing = planes.finite(unaries.max(0) - unaries)
    forbidden = planes.contract(states, (unaries == -jnp.inf).astype(states.dtype), over)
    return jnp.where(forbidden > 0, -jnp.inf, -planes.contract(states, missing, over))
