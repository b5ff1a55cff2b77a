"""Schedules: the order of message updates within one sweep of max-product."""

from abc import abstractmethod
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, Key

from ..engine import checks
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph


class Update(NamedTuple):
    """One update of messages: the place of a group in `graph.factors`, and its side, or None for all its messages."""

    place: int
    side: int | None


class AbstractSchedule(eqx.Module):
    """The order of updates in one sweep, which updates all messages (with RandomMask, a random share of them).

    `MaxProduct` computes the updates and damps them.
    """

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the schedule has no effect on this graph."""

    @abstractmethod
    def order(self, graph: FactorGraph) -> tuple[tuple[Update, ...], ...]:
        """Return the updates of a sweep: those of each inner tuple are computed from the same beliefs."""

    def kept(self, damping: Array, messages: tuple[PyTree, ...], number: Int[Array, ""]) -> tuple[PyTree, ...]:
        """Return the share of each old message that is kept, in the form of the messages; 1 leaves it as it is.

        Args:
            damping: the share that `MaxProduct` keeps, (batch,).
            messages: the messages before the sweep.
            number: the number of earlier sweeps.
        """
        return jax.tree.map(lambda message: damping, messages)


class Flooding(AbstractSchedule):
    """Update all messages at once from the same beliefs (Algorithm 1).

    Cost of a sweep: one update of each factor.
    """

    def order(self, graph):
        return (tuple(Update(place, None) for place in range(len(graph.factors))),)


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

    def order(self, graph):
        return tuple(
            (Update(place, side),) for place, factor in enumerate(graph.factors) for side in range(factor.sides)
        )


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
        self.key = checks.key(key)
        self.probability = checks.number("probability", probability, 1e-3, 1.0)

    def order(self, graph):
        return Flooding().order(graph)

    def kept(self, damping, messages, number):
        key = jax.random.fold_in(self.key, number)
        leaves, structure = jax.tree.flatten(messages)
        shares = []
        for place, message in enumerate(leaves):
            shape = (*message.shape[:-1], 1)
            renewed = jax.random.bernoulli(jax.random.fold_in(key, place), self.probability, shape)
            shares.append(jnp.where(renewed, damping, 1.0))
        return jax.tree.unflatten(structure, shares)


def check_order(schedule: AbstractSchedule, graph: FactorGraph) -> None:
    """Raise ValueError unless a sweep updates all messages of the graph, and no others."""
    updates = {update for together in schedule.order(graph) for update in together}
    name, groups = type(schedule).__name__, len(graph.factors)
    if any(update.place not in range(groups) for update in updates):
        raise ValueError(f"schedule: expected updates of the groups 0 to {groups - 1}, got {updates} from {name}.order")
    for place, factor in enumerate(graph.factors):
        sides = {Update(place, side) for side in range(factor.sides)}
        if Update(place, None) not in updates and not sides <= updates:
            raise ValueError(
                f"schedule: expected updates of all messages, got none of some of group {place} "
                f"({type(factor).__name__}) from {name}.order"
            )
