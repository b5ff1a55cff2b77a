"""Schedules: which messages are renewed from which beliefs within one sweep of max-product."""

from abc import abstractmethod

import equinox as eqx
import jax
from jaxtyping import Array, Float, Int, Key, PyTree

from .. import validate
from ..graph import FactorGraph
from ..planes import Planes


class AbstractSchedule(eqx.Module):
    """One sweep: every message is renewed once (with RandomMask, on average a share of them)."""

    @abstractmethod
    def sweep(
        self, graph: FactorGraph, unaries: Planes, messages: tuple, damping, number: Int[Array, ""]
    ) -> tuple[PyTree, PyTree]:
        """The messages after one sweep, and the change that was wanted of each before damping.

        Args:
            damping: share of the old message that is kept.
            number: how many sweeps came before.
        """


class Flooding(AbstractSchedule):
    """All messages at once, from the same beliefs (Algorithm 1). Cost: one update of each factor."""

    def sweep(self, graph, unaries, messages, damping, number):
        beliefs = graph.beliefs(unaries, messages)
        new = tuple(f.update(beliefs, m) for f, m in zip(graph.factors, messages, strict=True))
        change = jax.tree.map(lambda wanted, old: wanted - old, new, messages)
        return jax.tree.map(lambda old, step: old + (1.0 - damping) * step, messages, change), change


class Alternating(AbstractSchedule):
    """Factor groups one after the other, and the sides of a group (an RBM's two), with new beliefs each time.

    The same messages as flooding (Section 2.4) and the same work in `update`, but news travels further in a sweep.
    Cost: one update of each factor, and the beliefs once for each side.
    """

    def sweep(self, graph, unaries, messages, damping, number):
        messages, change = list(messages), []
        for place, factor in enumerate(graph.factors):
            wanted = None
            for side in range(factor.sides):
                old = messages[place]
                new = factor.update_side(graph.beliefs(unaries, tuple(messages)), old, side)
                step = jax.tree.map(lambda new, old: new - old, new, old)
                messages[place] = jax.tree.map(lambda old, step: old + (1.0 - damping) * step, old, step)
                wanted = step if wanted is None else jax.tree.map(lambda one, other: one + other, wanted, step)
            change.append(wanted)
        return tuple(messages), tuple(change)


class RandomMask(AbstractSchedule):
    """Flooding in which each entry of each message is renewed with a probability, else kept as it was (Section 2.4).

    The mask depends on the key and the sweep alone and is the same for all copies, so that nothing depends on which
    copies run side by side. Cost: that of flooding, and the mask.
    """

    key: Key[Array, ""]
    probability: Float[Array, ""] | float

    def __init__(self, key, probability=0.5):
        """Args:
        key: a JAX key.
        probability: of an entry to be renewed in a sweep, in [0.001, 1].

        Raises: TypeError or ValueError that names the argument.
        """
        self.key = validate.key(key)
        self.probability = validate.number("probability", probability, 1e-3, 1.0)

    def sweep(self, graph, unaries, messages, damping, number):
        _, change = Flooding().sweep(graph, unaries, messages, damping, number)
        key = jax.random.fold_in(self.key, number)
        leaves, structure = jax.tree.flatten(messages)
        renewed = []
        for place, (old, step) in enumerate(zip(leaves, jax.tree.leaves(change), strict=True)):
            shape = (*old.shape[:-1], 1)
            mask = jax.random.bernoulli(jax.random.fold_in(key, place), self.probability, shape)
            renewed.append(old + mask.astype(old.dtype) * (1.0 - damping) * step)
        return jax.tree.unflatten(structure, renewed), change
