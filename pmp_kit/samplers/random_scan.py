"""Random-scan Gibbs sampling: the variable to draw is itself drawn."""

import jax
import jax.numpy as jnp

from ..engine import planes
from .base import draw_each, split_each
from .chain import AbstractChain, softmax_noise


class RandomScanGibbs(AbstractChain):
    """Gibbs sampling that draws x_i ~ p(x_i | all others) at n sites i a sweep, each picked at random (Section 3).

    Unlike the fixed order of `Gibbs` it is reversible; a sweep leaves about 37 % of the variables out. Every copy has
    sites of its own. Cost of a sweep: n rows of every factor, in n steps.
    """

    def sweep(self, keys, graph, unaries, state):
        where = one_by_one(graph)
        step = lambda states, each: (redrawn(graph, unaries, where, states, *each), None)  # noqa: E731
        return jax.lax.scan(step, state, sites_and_noise(keys, graph, unaries))[0]


def one_by_one(graph) -> tuple:
    """`graph.locate` of every variable as a block of its own."""
    return graph.locate(jnp.arange(graph.variables.count, dtype=jnp.int32)[:, None])


def sites_and_noise(keys, graph, unaries) -> tuple:
    """For each of n steps the site to draw, (n, batch), and the noise that draws it, (n, planes, batch)."""
    count = graph.variables.count
    first, second = split_each(keys)
    pick = lambda key, shape, dtype: jax.random.randint(key, shape, 0, count, dtype)  # noqa: E731
    return draw_each(pick, first, (count,), jnp.int32), jnp.moveaxis(softmax_noise(second, unaries), 1, 0)


def redrawn(graph, unaries, where, states, site, noise):
    """The states with the variable `site` (batch,) of each copy drawn given all others; `where` is `one_by_one`."""
    field = fields_at(graph, unaries, states, site, where)
    copies = jnp.arange(states.shape[-1], dtype=jnp.int32)
    return states.at[:, site, copies].set(planes.decode((field + noise)[:, None])[:, 0])


def fields_at(graph, unaries, states, site, where):
    """Log-conditional of the variable `site` (batch,) of each copy: (planes, batch).

    Args:
        where: `one_by_one(graph)`.
    """
    row = jax.tree.map(lambda table: table[site], where)

    def of_one(states, unaries, site, row):
        return graph.conditional(states, unaries, site[None], row)[:, 0]

    return jax.vmap(of_one, in_axes=(-1, -1, 0, 0), out_axes=-1)(states, unaries, site, row)
