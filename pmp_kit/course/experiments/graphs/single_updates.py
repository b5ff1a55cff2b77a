"""Less than a sweep: Markov chains that change a few variables at a time, for learning with persistent chains (5.4)."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from ....engine import validate
from ....factors import DensePairwise
from ....samplers.base import draw_each
from ....samplers.chain import AbstractChain, everywhere
from ....samplers.gradients import propose, started
from ....samplers.random_scan import one_by_one, redrawn, sites_and_noise


def whole(updates):
    """A number of updates, at least 1, as an array: another one compiles nothing again."""
    return jnp.asarray(validate.count("updates", updates) if isinstance(updates, int) else updates, jnp.int32)


class FewUpdates(AbstractChain):
    """A chain whose sweep is `updates` single variables, drawn or proposed, at most all of them."""

    updates: Int[Array, ""] = eqx.field(converter=whole)


class FewGibbs(FewUpdates):
    """Gibbs sampling at `updates` sites picked at random."""

    def sweep(self, keys, graph, unaries, state):
        (sites, noise), where = sites_and_noise(keys, graph, unaries), one_by_one(graph)
        draw = lambda step, states: redrawn(graph, unaries, where, states, sites[step], noise[step])  # noqa: E731
        return jax.lax.fori_loop(0, self.updates, draw, state)


class DenseGibbsWithGradients(FewUpdates):
    """Gibbs-with-gradients with `updates` proposals, on a graph that is one dense pairwise factor.

    The proposals are those of `GibbsWithGradients`, n of which are its sweep; on such a graph one costs n.
    """

    def check(self, graph):
        only_factor(graph)

    def sweep(self, keys, graph, unaries, state):
        uniform = draw_each(jax.random.uniform, keys, (graph.variables.count, 2), unaries.dtype)
        where = everywhere(graph)
        step = lambda number, carry: propose(graph, unaries, where, carry, uniform[number])  # noqa: E731
        return jax.lax.fori_loop(0, self.updates, step, started(graph, unaries, where, state))[0]


def only_factor(graph) -> DensePairwise:
    """The one factor of a graph. Raises: ValueError if there are more, or it is of another kind."""
    if len(graph.factors) != 1 or not isinstance(graph.factors[0], DensePairwise):
        raise ValueError("model: expected a single DensePairwise factor; use pk.GibbsWithGradients() for others")
    return graph.factors[0]
