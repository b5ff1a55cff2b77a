"""Markov chains that update a few variables per step, for learning with persistent chains (Section 5.4)."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from ....engine import checks
from ....factors import DensePairwise
from ....noise import open_uniform
from ....samplers.base import draw_each
from ....samplers.chain import AbstractChain, everywhere
from ....samplers.gradients import propose, started
from ....samplers.random_scan import one_by_one, redrawn, sites_and_noise


def whole(updates):
    """Return a number of updates, at least 1, as an array, so that changing it never triggers a recompilation."""
    return jnp.asarray(checks.count("updates", updates) if isinstance(updates, int) else updates, jnp.int32)


class FewUpdates(AbstractChain):
    """A chain whose sweep makes `updates` single-variable updates or proposals, at most n."""

    updates: Int[Array, ""] = eqx.field(converter=whole)


class FewGibbs(FewUpdates):
    """Gibbs sampling of `updates` randomly chosen variables."""

    def sweep(self, keys, graph, unaries, state):
        (sites, noise), where = sites_and_noise(keys, graph, unaries), one_by_one(graph)
        draw = lambda step, states: redrawn(graph, unaries, where, states, sites[step], noise[step])  # noqa: E731
        return jax.lax.fori_loop(0, self.updates, draw, state)


class DenseGibbsWithGradients(FewUpdates):
    """Gibbs-with-gradients (GWG) with `updates` proposals, on a graph with a single dense pairwise factor.

    The proposals are those of `GibbsWithGradients`, whose sweep has n of them. On this graph a proposal costs O(n).
    """

    def check(self, graph):
        if len(graph.factors) != 1 or not isinstance(graph.factors[0], DensePairwise):
            raise ValueError("model: expected a single DensePairwise factor; use pk.GibbsWithGradients() for others")

    def sweep(self, keys, graph, unaries, state):
        uniform = draw_each(open_uniform, keys, (graph.variables.count, 2), unaries.dtype)
        where = everywhere(graph)
        step = lambda number, carry: propose(graph, unaries, where, carry, uniform[number])  # noqa: E731
        return jax.lax.fori_loop(0, self.updates, step, started(graph, unaries, where, state))[0]
