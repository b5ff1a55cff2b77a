"""Schedules: which messages are renewed from which beliefs within one sweep of max-product."""

from abc import abstractmethod

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, Key

from ..engine import validate
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph, damped


class AbstractSchedule(eqx.Module):
    """One sweep: every message is renewed once (with RandomMask, on average a share of them)."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the schedule does nothing for this graph."""

    @abstractmethod
    def sweep(
        self, graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...], damping: Array, limit: Array,
        number: Int[Array, ""],
    ) -> tuple[PyTree, ...]:  # fmt: skip
        """The messages after one sweep.

        Args:
            damping: share of the old message that is kept.
            limit: of finite messages of hard factors, (batch,).
            number: how many sweeps came before.
        """


class Flooding(AbstractSchedule):
    """All messages at once, from the same beliefs (Algorithm 1). Cost: one update of each factor."""

    def sweep(self, graph, unaries, messages, damping, limit, number):
        new = graph.update(graph.beliefs(unaries, messages), messages)
        groups = zip(graph.factors, messages, new, strict=True)
        return tuple(damped(factor, old, new, damping, limit) for factor, old, new in groups)


class Alternating(AbstractSchedule):
    """Factor groups one after the other, and the sides of a group (an RBM's two), with new beliefs each time.

    The same messages as flooding (Section 2.4) and the same work in `update`, but information propagates further in a
    sweep. Refused for a graph whose only group has one side: it would be flooding. Cost: one update of each factor, and
    the beliefs once for each side.
    """

    def check(self, graph):
        if sum(factor.sides for factor in graph.factors) == 1:
            raise ValueError(
                f"schedule: expected factors to alternate between, got one group of {type(graph.factors[0]).__name__}, "
                "whose messages all go out together; use Flooding() or RandomMask(key), or split the group in two"
            )

    def sweep(self, graph, unaries, messages, damping, limit, number):
        messages = list(messages)
        for place, factor in enumerate(graph.factors):
            for side in range(factor.sides):
                old = messages[place]
                new = factor.update_side(graph.beliefs(unaries, tuple(messages)), old, side)
                messages[place] = damped(factor, old, new, damping, limit)
        return tuple(messages)


class RandomMask(AbstractSchedule):
    """Flooding in which each entry of each message is renewed with a probability, else kept as it was (Section 2.4).

    The mask depends on the key and the sweep alone and is the same for all copies, so that nothing depends on which
    copies run side by side. Cost: that of flooding, and the mask.
    """

    key: Key[Array, ""]
    probability: Number

    def __init__(self, key: Array, probability: Number = 0.5):
        """Args:
        key: a JAX key.
        probability: of an entry to be renewed in a sweep, in [0.001, 1].

        Raises: TypeError or ValueError that names the argument.
        """
        self.key = validate.key(key)
        self.probability = validate.number("probability", probability, 1e-3, 1.0)

    def sweep(self, graph, unaries, messages, damping, limit, number):
        flooded = Flooding().sweep(graph, unaries, messages, damping, limit, number)
        key = jax.random.fold_in(self.key, number)
        leaves, structure = jax.tree.flatten(messages)
        renewed = []
        for place, (old, new) in enumerate(zip(leaves, jax.tree.leaves(flooded), strict=True)):
            shape = (*old.shape[:-1], 1)
            mask = jax.random.bernoulli(jax.random.fold_in(key, place), self.probability, shape)
            renewed.append(jnp.where(mask, new, old))
        return jax.tree.unflatten(structure, renewed)
