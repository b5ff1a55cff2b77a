"""Random-scan Gibbs sampling: each step updates a randomly chosen variable."""

import jax
import jax.numpy as jnp

from ..engine import planes
from .base import draw_each, split_each
from .chain import AbstractChain, softmax_noise


class RandomScanGibbs(AbstractChain):
    """Gibbs sampling with random order: n steps x_i ~ p(x_i | all others) per sweep, each for a random i (Section 3).

    In contrast to `Gibbs` with its fixed order, this chain is reversible. A sweep leaves out about 37 % of the
    variables. Each batch element has its own random variables. Cost of a sweep: n conditionals of one variable, in n
    steps.
    """

    def sweep(self, keys, graph, unaries, state):
        where = one_by_one(graph)
        step = lambda states, each: (redrawn(graph, unaries, where, states, *each), None)  # noqa: E731
        return jax.lax.scan(step, state, sites_and_noise(keys, graph, unaries))[0]


def one_by_one(graph) -> tuple:
    """Return the places of each single variable in all factors, which `fields_at` takes as `where`."""
    return graph.locate(jnp.arange(graph.variables.count, dtype=jnp.int32)[:, None])


def sites_and_noise(keys, graph, unaries) -> tuple:
    """Return the variable to update in each of n steps, (n, batch), and the noise for it, (n, planes, batch)."""
    count = graph.variables.count
    first, second = split_each(keys)
    pick = lambda key, shape, dtype: jax.random.randint(key, shape, 0, count, dtype)  # noqa: E731
    return draw_each(pick, first, (count,), jnp.int32), jnp.moveaxis(softmax_noise(second, unaries), 1, 0)


def redrawn(graph, unaries, where, states, site, noise):
    """Return the states after drawing the variable `site` (batch,) of each batch element given all others."""
    field = fields_at(graph, unaries, states, site, where)
    elements = jnp.arange(states.shape[-1], dtype=jnp.int32)
    return states.at[:, site, elements].set(planes.decode_noisy(field[:, None], noise[:, None])[:, 0])


def fields_at(graph, unaries, states, site, where):
    """Return the log-conditional of the variable `site` (batch,) of each batch element, (planes, batch).

    Args:
        graph: the graph.
        unaries, states: (planes, n, batch).
        site: the id of the variable, (batch,).
        where: `one_by_one(graph)`.
    """
    row = jax.tree.map(lambda table: table[site], where)

    def of_one(states, unaries, site, row):
        return graph.conditional(states, unaries, site[None], row)[:, 0]

    return jax.vmap(of_one, in_axes=(-1, -1, 0, 0), out_axes=-1)(states, unaries, site, row)
