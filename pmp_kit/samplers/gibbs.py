"""Gibbs sampling in a fixed order: one variable at a time, or by blocks of conditionally independent variables."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..engine import planes
from ..engine.arrays import on_device
from . import colouring
from .chain import AbstractChain, softmax_noise


class Gibbs(AbstractChain):
    """Systematic Gibbs sampling: x_i ~ p(x_i | all others), every variable once per sweep (Section 3).

    `Gibbs()` visits the variables in order. `Gibbs(blocks=("h", "v"))` visits the named blocks in turn and draws all
    variables of a block at once. `Gibbs(blocks=pmp_kit.colours(model))` draws all variables of a colour at once. No
    factor may join two variables of a block; this is checked. The samples follow p(x) in the limit if changes of single
    variables (or blocks) connect all possible states. Cost of a sweep: the conditional of each variable, in as many
    steps as there are blocks.
    """

    blocks: colouring.Blocks | None = eqx.field(static=True)

    def __init__(self, blocks: colouring.BlocksLike | None = None):
        """Args:
        blocks: names of blocks, or arrays of ids, that together contain each variable once; with None, one variable is
            drawn at a time. `sample` checks that no factor joins two variables of a block.

        Raises: TypeError or ValueError that names the argument.
        """
        self.blocks = colouring.normalise(blocks)

    def check(self, graph):
        colouring.check(self.blocks, graph)

    def sweep(self, keys, graph, unaries, state):
        noise = softmax_noise(keys, unaries)

        def draw(states, block):
            at, where = block
            field = graph.conditional(states, unaries, at, where)
            chosen = planes.decode_noisy(field, noise[:, jnp.minimum(at, noise.shape[1] - 1)])
            return states.at[:, at].set(chosen, mode="drop"), None

        for order in map(on_device, colouring.tables(self.blocks, graph.variables)):
            state = jax.lax.scan(draw, state, (order, graph.locate(order)))[0]
        return state
