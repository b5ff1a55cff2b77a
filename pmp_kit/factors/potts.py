"""Potts: pairs of variables of any number of states that like, or dislike, to be equal (Section 2.4)."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import validate
from ..engine.arrays import on_device
from ..engine.planes import Planes, Rows, add_scores, indicators, like, scores
from ..engine.signatures import ArrayLike
from ._parts.hard import exclusive, exclusive_max
from ._parts.incidence import Incidence
from ._parts.pairwise import pair_bethe
from ._parts.sides import turned
from .base import AbstractFactor, check_range
from .edges import edge_ids, edge_weights


class Potts(AbstractFactor):
    """Pairs of variables: score sum_e w_e [x_i = x_j], w of either sign, C states (Section 2.4).

    Messages: (2, C, E, *batch), [side, c, e] = score that edge e sends to state c of its variable on that side, by
    the best and the second best state of the other: O(C), not O(C^2). Memory and cost of a sweep: 2 C E a copy. Two
    sides, as in `Edges`: pairs are turned so that they begin with one of two colours.
    """

    weight: Float[Array, "*E"]
    pairs: Int[Array, "2 E"]
    incidence: Incidence
    states: int = eqx.field(static=True)

    def __init__(self, pairs: ArrayLike, weight: ArrayLike, states: int):
        """Args:
        pairs: ids, (E, 2), the two of a pair distinct.
        weight: w, in nats, positive where equal states are likelier: (E,), or one number, which is then one parameter
            that all edges share.
        states: C, the number of states of the variables.

        Raises: TypeError or ValueError that names the argument.
        """
        ids = edge_ids(pairs)
        ids = np.where(turned(ids), ids[::-1], ids)
        self.weight = edge_weights(weight, ids)
        self.pairs, self.incidence = on_device(ids), Incidence(ids)
        self.states = validate.count("states", states, minimum=2)

    @property
    def weights(self) -> Float[Array, " E"]:
        """The weight of each edge."""
        return jnp.broadcast_to(self.weight, self.pairs.shape[1:])

    @property
    def sides(self) -> int:
        return 2

    @property
    def scopes(self):
        return (np.asarray(self.pairs).T,)

    def spread(self):
        return jnp.abs(self.weights).sum()

    def check(self, variables):
        pairs = np.asarray(self.pairs)
        check_range("pairs", pairs, variables)
        wrong = pairs[variables.cardinalities[pairs] != self.states]
        if wrong.size:
            raise ValueError(
                f"states: expected the {variables.cardinalities[wrong[0]]} states of variable {wrong[0]}, got "
                f"{self.states}; use EdgeTables for pairs of different numbers of states"
            )

    def score(self, states):
        first, second = indicators(states, self.pairs, self.states).swapaxes(0, 1)
        return jnp.sum(like(self.weights, first[0]) * jnp.sum(first * second, axis=0), axis=0)

    def neutral_messages(self, batch):
        """Zeros: with the mean over the other's states, no state is likelier than another."""
        return jnp.zeros((2, self.states, self.pairs.shape[1], *batch), self.weight.dtype)

    def to_variables(self, messages, beliefs):
        return add_scores(beliefs, self.pairs, messages.swapaxes(0, 1))

    def update(self, beliefs, messages):
        """max(largest n_y over y != x, n_x + w) for each state x."""
        incoming = self._incoming(beliefs, messages)
        return _passed(jnp.maximum(exclusive_max(incoming), incoming + self._aligned(incoming)))

    def update_side(self, beliefs, messages, side):
        return messages.at[side].set(self.update(beliefs, messages)[side])

    def soft_update(self, beliefs, messages, temperature):
        incoming = self._incoming(beliefs, messages)
        equal = (incoming + self._aligned(incoming)) / temperature
        return _passed(temperature * jnp.logaddexp(exclusive(jnp.logaddexp, -jnp.inf, incoming / temperature), equal))

    def bethe(self, beliefs, messages, temperature):
        ends = scores(beliefs, self.pairs, self.states).swapaxes(0, 1)
        incoming = ends - messages
        table = jnp.moveaxis(self.pair_tables()[1], 0, -1)  # (C, C, E)
        return pair_bethe(like(table, incoming[0][:, None]), ends, incoming, temperature).sum(0)

    def _incoming(self, beliefs, messages):
        """Scores of each end without its edge, the best state's 0, (2, C, E, *batch)."""
        without = scores(beliefs, self.pairs, self.states).swapaxes(0, 1) - messages
        return without - without.max(1, keepdims=True)

    def _aligned(self, messages):
        return like(self.weights, messages[0, 0])

    def pair_tables(self):
        same = jnp.eye(self.states, dtype=self.weight.dtype)
        return self.pairs.T, self.weights[:, None, None] * same

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states: Planes, at, where) -> Rows:
        edge, other, known = self.incidence.neighbours(where)
        x = indicators(states, jnp.where(known, self.pairs[other, edge], 0), self.states)  # (C, width, degree, *batch)
        field = jnp.sum(like(jnp.where(known, self.weights[edge], 0.0), x[0]) * x, axis=2)
        zero = jnp.zeros((states.shape[0], *field.shape[1:]), field.dtype)
        return add_scores(zero, jnp.arange(field.shape[1]), field)


def _passed(messages):
    """What one end hears goes to the other; the best state's 0."""
    return (messages - messages.max(1, keepdims=True))[::-1]
