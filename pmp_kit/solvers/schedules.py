"""Schedules: the order of message updates within one sweep of max-product."""

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
    """The order of updates in one sweep, which updates every message once (with RandomMask, a random share of them)."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the schedule has no effect on this graph."""

    @abstractmethod
    def sweep(
        self, graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...], damping: Array, limit: Array,
        number: Int[Array, ""],
    ) -> tuple[PyTree, ...]:  # fmt: skip
        """Return the messages after one sweep.

        Args:
            damping: share of the old message that is kept, (batch,).
            limit: the limit of finite messages of hard factors, (batch,).
            number: the number of earlier sweeps.
        """


class Flooding(AbstractSchedule):
    """Update all messages at once from the same beliefs (Algorithm 1).

    Cost of a sweep: one update of each factor.
    """

    def sweep(self, graph, unaries, messages, damping, limit, number):
        new = graph.update(graph.beliefs(unaries, messages), messages)
        groups = zip(graph.factors, messages, new, strict=True)
        return tuple(damped(factor, old, new, damping, limit) for factor, old, new in groups)


class Alternating(AbstractSchedule):
    """Update one group of factors after another, and one side of each group after another, with new beliefs each time.

    A side is a part of a group's messages, such as the messages to one layer of an RBM (restricted Boltzmann machine).
    The message equations are those of `Flooding` (Section 2.4), but information propagates further per sweep. A graph
    with a single group of one side raises ValueError, because this schedule would equal `Flooding` there. Cost of a
    sweep: one update of each factor, and the beliefs once for each side.
    """

    def check(self, graph):
        if graph.sides == 1:
            raise ValueError(
                f"schedule: expected factors to alternate between, got one group of {type(graph.factors[0]).__name__}, "
                "whose messages are all updated at once; use Flooding() or RandomMask(key), or split the group in two"
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
    """Flooding in which each entry of each message is updated with a probability, and otherwise kept (Section 2.4).

    The mask depends only on the key and the number of the sweep. It is the same for all batch elements, so a result
    does not depend on the other elements of the batch. Cost of a sweep: that of `Flooding`, and the mask.
    """

    key: Key[Array, ""]
    probability: Number

    def __init__(self, key: Array, probability: Number = 0.5):
        """Args:
        key: a JAX key, not that of `sample`, whose random numbers the masks would repeat.
        probability: the probability that an entry is updated in a sweep, in [0.001, 1].

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
