"""Gibbs sampling: one variable at a time, or by blocks of variables that do not touch."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import planes
from ..graph import FactorGraph
from .base import AbstractSampler, View, draw_each, never


class Gibbs(AbstractSampler):
    """Systematic Gibbs sampling: x_i ~ p(x_i | all others), every variable once a sweep (Section 3).

    `Gibbs()` goes through the variables in order; `Gibbs(blocks=("h", "v"))` draws the named blocks in turn, all
    variables of a block at once, which is right only if no factor joins two of them (an RBM's two sides): checked.
    Chains start from random states, or go on from `previous`. Cost of a sweep: every factor's row for each variable.
    """

    blocks: tuple[str, ...] | None = eqx.field(static=True)

    def __init__(self, blocks: tuple[str, ...] | None = None):
        """Args:
        blocks: names of blocks that together hold all variables; None draws one variable at a time.
        """
        self.blocks = (blocks,) if isinstance(blocks, str) else None if blocks is None else tuple(blocks)

    def check(self, graph: FactorGraph) -> None:
        if self.blocks is None:
            return
        if sorted(self.blocks) != sorted(graph.variables.names):
            raise ValueError(f"blocks: expected each of {graph.variables.names} once, got {self.blocks}")
        for name in self.blocks:
            members = np.zeros(graph.variables.count, bool)
            members[graph.variables[name]] = True
            if any(factor.couples(members) for factor in graph.factors):
                raise ValueError(
                    f"blocks: expected blocks without factors inside, got {name!r}, of which two variables share a "
                    "factor and cannot be drawn at once; use Gibbs() instead"
                )

    def order(self, graph: FactorGraph) -> np.ndarray:
        """Which variables are drawn at once, (blocks, width), padded with n."""
        variables = graph.variables
        if self.blocks is None:
            return np.arange(variables.count, dtype=np.int32)[:, None]
        width = max(variables[name].size for name in self.blocks)
        order = np.full((len(self.blocks), width), variables.count, np.int32)
        for row, name in zip(order, self.blocks, strict=True):
            row[: variables[name].size] = variables[name].reshape(-1)
        return order

    def init(self, keys, graph, unaries, previous):
        if previous is None:
            noise = _noise(keys, unaries)
            return planes.decode(jnp.where(jnp.isfinite(unaries), noise, unaries))
        return jnp.where(planes.clamped(unaries), planes.decode(unaries), previous)

    def sweep(self, keys, graph, unaries, state):
        noise = _noise(keys, unaries)
        order = jnp.asarray(self.order(graph))

        def draw(states, block):
            at, where = block
            field = graph.conditional(states, unaries, at, where)
            chosen = planes.decode(field + noise[:, jnp.minimum(at, noise.shape[1] - 1)])
            return states.at[:, at].set(chosen, mode="drop"), None

        return jax.lax.scan(draw, state, (order, graph.locate(order)))[0]

    def done(self, state):
        return never(state.shape[-1])

    def view(self, graph, unaries, state):
        return View(graph, unaries, state, None)

    def keep(self, state):
        return state


def _noise(keys, unaries):
    """Noise that turns the best state of each variable on its own into a draw: logistic on log-odds, else Gumbel."""
    draw = jax.random.logistic if unaries.shape[0] == 1 else jax.random.gumbel
    return draw_each(draw, keys, unaries.shape[:2], unaries.dtype)
