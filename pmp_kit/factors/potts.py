"""Potts: pairs of variables with a score for equal states, for any number of states (Section 2.4)."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks
from ..engine.planes import Planes, add_scores, contract, indicators, like, scores
from ..engine.reductions import index_of_largest, larger, largest, smaller, two_largest
from ..engine.signatures import ArrayLike, Number, PyTree
from .base import check_range
from .bethe import table_bethe
from .hard import exclusive
from .incidence import Incidence
from .weighted_pairs import AbstractWeightedPairs, weighted_pairs


class Potts(AbstractWeightedPairs):
    """Pairs of variables: score sum_e w_e [x_i = x_j], with w_e of either sign and C states (Section 2.4).

    The messages are an array (2, C, E, *batch): entry [side, c, e] is the score that edge e sends to state c of its
    variable `side`. They need only the best and the second best state of the other variable, so their cost is O(C) and
    not O(C^2). As in `Edges`, the pairs are reordered so that the first variable has the first of two colours. Memory
    and cost of a sweep: 2 C E for each batch element.
    """

    weight: Float[Array, "*E"]
    pairs: Int[Array, "2 E"]
    incidence: Incidence
    states: int = eqx.field(static=True)

    def __init__(self, pairs: ArrayLike, weight: ArrayLike, states: int):
        """Args:
        pairs: ids, (E, 2), with two different ids in each pair.
        weight: w, in nats, positive if equal states are more probable: (E,), or one number, which is one parameter
            that all edges share.
        states: C, the number of states of the variables.

        Raises: TypeError or ValueError that names the argument.
        """
        self.weight, self.pairs, self.incidence = weighted_pairs(pairs, weight)
        self.states = checks.count("states", states, minimum=2)

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
        return contract(self.weights, jnp.sum(first * second, axis=0))

    def neutral_messages(self, batch):
        """Return zeros, because the mean over the other variable's states is the same for each state."""
        return jnp.zeros((2, self.states, self.pairs.shape[1], *batch), self.weight.dtype)

    def to_variables(self, messages, beliefs):
        return add_scores(beliefs, self.pairs, messages.swapaxes(0, 1))

    def update(self, beliefs, messages):
        """Return new messages: max(max over y != x of p_y, p_x + w) for each state x, with cavity scores p.

        The maximum over y != x is the second largest score for the best state x, and the largest for every other one.
        """
        return self._sent(self._cavity(beliefs, messages), self._aligned(messages)).swapaxes(0, 1)[::-1]

    def update_side(self, beliefs, messages, side):
        cavity = scores(beliefs, self.pairs[1 - side], self.states) - messages[1 - side]
        return messages.at[side].set(self._sent(cavity, self._aligned(messages)))

    def _sent(self, cavity, weight):
        """Return the messages to the other variables of the edges, (C, ..., E, *batch)."""
        best, rival = two_largest(cavity)
        unequal = jnp.where(cavity == best, rival - best, 0.0)
        equal = cavity - best + smaller(weight, 0.0)  # minus the positive part, which would absorb the cavity
        return larger(unequal - larger(weight, 0.0), equal)  # the best state has score 0

    def soft_update(self, beliefs, messages, temperature):
        cavity = self._cavity(beliefs, messages)
        incoming = (cavity - largest(cavity)).swapaxes(0, 1)
        weight = self._aligned(incoming)
        equal = (incoming + smaller(weight, 0.0)) / temperature
        others = exclusive(jnp.logaddexp, -jnp.inf, incoming / temperature) - larger(weight, 0.0) / temperature
        new = temperature * jnp.logaddexp(others, equal)
        return (new - largest(new, (1,))[:, None])[::-1]  # the best state has score 0

    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"]:
        ends = scores(beliefs, self.pairs, self.states).swapaxes(0, 1)
        incoming = ends - messages
        return table_bethe(self.pair_tables()[1], ends, incoming, temperature).sum(0)

    def _cavity(self, beliefs, messages):
        """Return the cavity scores of both variables of each edge, (C, 2, E, *batch)."""
        return scores(beliefs, self.pairs, self.states) - messages.swapaxes(0, 1)

    def _aligned(self, messages):
        return like(self.weights, messages[0, 0])

    def pair_tables(self):
        same = jnp.eye(self.states, dtype=self.weight.dtype)
        return self.pairs.T, self.weights[:, None, None] * same

    def conditional(self, states, at, where):
        others, weight = self.neighbours(where)
        x = indicators(states, others, self.states)  # (C, width, degree, *batch)
        state = index_of_largest(x)  # XLA makes a matrix product of a sum of w x, which takes twenty times as long
        weight = like(weight, state)
        field = jnp.stack([jnp.sum(jnp.where(state == c, weight, 0.0), axis=1) for c in range(self.states)])
        zero = jnp.zeros((states.shape[0], *field.shape[1:]), field.dtype)
        return add_scores(zero, jnp.arange(field.shape[1]), field), None
