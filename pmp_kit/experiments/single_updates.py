"""Less than a sweep: Markov chains that change a few variables at a time, for learning with persistent chains (5.4)."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from .. import planes, validate
from ..factors import DensePairwise
from ..samplers.base import draw_each, split_each
from ..samplers.chain import AbstractChain, everywhere, fields, softmax_noise
from ..samplers.gradients import log_acceptance, pick, proposal
from ..samplers.random_scan import fields_at


def whole(updates):
    """A number of updates, at least 1, as an array: another one compiles nothing again."""
    return jnp.asarray(validate.count("updates", updates) if isinstance(updates, int) else updates, jnp.int32)


class FewUpdates(AbstractChain):
    """A chain whose sweep is `updates` single variables, drawn or proposed, at most all of them."""

    updates: Int[Array, ""] = eqx.field(converter=whole)


class FewGibbs(FewUpdates):
    """Gibbs sampling at `updates` sites picked at random."""

    def sweep(self, keys, graph, unaries, state):
        count, copies = graph.variables.count, jnp.arange(state.shape[-1], dtype=jnp.int32)
        first, second = split_each(keys)
        pick_sites = lambda key, shape, dtype: jax.random.randint(key, shape, 0, count, dtype)  # noqa: E731
        sites = draw_each(pick_sites, first, (count,), jnp.int32)
        noise = jnp.moveaxis(softmax_noise(second, unaries), 1, 0)
        where = graph.locate(jnp.arange(count, dtype=jnp.int32)[:, None])

        def draw(step, states):
            field = fields_at(graph, unaries, states, sites[step], where)
            return states.at[:, sites[step], copies].set(planes.decode((field + noise[step])[:, None])[:, 0])

        return jax.lax.fori_loop(0, self.updates, draw, state)


class DenseGibbsWithGradients(FewUpdates):
    """Gibbs-with-gradients with `updates` proposals, on a graph that is one dense pairwise factor.

    After a flip all fields change by one column of the weights, so a proposal costs n, where `GibbsWithGradients`, for
    every kind of graph, computes n^2. Same draws: with n updates both give the same states.
    """

    def check(self, graph):
        only_factor(graph)

    def sweep(self, keys, graph, unaries, state):
        count, copies = graph.variables.count, jnp.arange(state.shape[-1], dtype=jnp.int32)
        uniform = draw_each(jax.random.uniform, keys, (count, 2), unaries.dtype)
        weight = only_factor(graph).off_diagonal()

        def propose(step, carry):
            states, field = carry
            weights, total = proposal(field, states)
            _, site = pick(weights, uniform[step, 0])
            change = 1.0 - 2.0 * states[0, site, copies]
            new_field = field + change * weight[site].T[None]
            new = states.at[0, site, copies].add(change)
            accept = jnp.log(uniform[step, 1]) < log_acceptance(total, proposal(new_field, new)[1])
            return jnp.where(accept, new, states), jnp.where(accept, new_field, field)

        start = state, fields(graph, unaries, state, everywhere(graph))
        return jax.lax.fori_loop(0, self.updates, propose, start)[0]


def only_factor(graph) -> DensePairwise:
    """The one factor of a graph. Raises: ValueError if there are more, or it is of another kind."""
    if len(graph.factors) != 1 or not isinstance(graph.factors[0], DensePairwise):
        raise ValueError("model: expected a single DensePairwise factor; use pk.GibbsWithGradients() for others")
    return graph.factors[0]
