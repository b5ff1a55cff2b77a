"""Edges: a list of pairs of binary variables, for sparse models of any shape (Appendix C.1, one factor an edge)."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .. import validate
from ..planes import Planes, Rows, add_log_odds, like, log_odds, ones
from .base import AbstractFactor, check_binary
from .incidence import Incidence
from .pairwise import bounded, corner_tables, pair_bethe, pair_message, soft_pair_message, two_states


class Edges(AbstractFactor):
    """Pairs of binary variables: score sum_e w_e x_i x_j (Appendix C.1).

    Messages: (2, E, *batch), [side, e] = log-odds that edge e sends to its variable on that side.
    A pair may stand more than once; its weights add up. Memory and cost of a sweep: 2 E for each copy.
    """

    weight: Float[Array, " E"]
    pairs: Int[Array, "2 E"]
    incidence: Incidence

    def __init__(self, pairs, weight):
        """Args:
        pairs: ids, (E, 2), the two of a pair distinct.
        weight: w, one number for all edges or (E,), in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        ids = edge_ids(pairs)
        value = validate.parameter("weight", weight)
        if value.shape not in ((), (ids.shape[1],)):
            raise ValueError(f"weight: expected one number or shape ({ids.shape[1]},), got {value.shape}")
        self.weight = jnp.broadcast_to(value, ids.shape[1:])
        self.pairs, self.incidence = jnp.asarray(ids), Incidence(ids)

    def check(self, variables):
        check_binary("pairs", np.asarray(self.pairs), variables)

    def score(self, states):
        x = ones(states, self.pairs)
        return jnp.sum(like(self.weight, x[0]) * x[0] * x[1], axis=0)

    def neutral_messages(self, batch):
        half = 0.5 * self.weight.reshape((1, -1) + (1,) * len(batch))
        return jnp.broadcast_to(half, (2, self.weight.size, *batch))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, self.pairs, messages)

    def update(self, beliefs, messages):
        incoming = bounded(log_odds(beliefs, self.pairs), self.weight) - messages
        return pair_message(incoming, like(self.weight, messages[0]))[::-1]  # what one end hears goes to the other

    def soft_update(self, beliefs, messages, temperature):
        incoming = bounded(log_odds(beliefs, self.pairs), self.weight, temperature) - messages
        return soft_pair_message(incoming, like(self.weight, messages[0]), temperature)[::-1]

    def bethe(self, beliefs, messages, temperature):
        belief = bounded(log_odds(beliefs, self.pairs), self.weight, temperature)
        ends = [two_states(side) for side in belief]
        incoming = [end - two_states(message) for end, message in zip(ends, messages, strict=True)]
        table = jnp.moveaxis(corner_tables(self.weight), 0, -1)  # (2, 2, E)
        return pair_bethe(like(table, incoming[0][:, None]), ends, incoming, temperature).sum(0)

    def pair_tables(self):
        return self.pairs.T, corner_tables(self.weight)

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states: Planes, at, where) -> Rows:
        edge, other, known = self.incidence.neighbours(where)
        x = ones(states, jnp.where(known, self.pairs[other, edge], 0))  # (width, degree, *batch)
        field = jnp.sum(like(jnp.where(known, self.weight[edge], 0.0), x) * x, axis=1)
        zero = jnp.zeros((states.shape[0], *field.shape), field.dtype)
        return add_log_odds(zero, jnp.arange(field.shape[0]), field)

    def couples(self, members):
        return bool(members[np.asarray(self.pairs)].all(0).any())


def edge_ids(pairs) -> np.ndarray:
    """Checked pairs as (2, E)."""
    ids = validate.ids("pairs", np.asarray(pairs).reshape(-1, 2) if np.size(pairs) == 0 else pairs, columns=2)
    if (ids[:, 0] == ids[:, 1]).any():
        edge = int(np.argmax(ids[:, 0] == ids[:, 1]))
        raise ValueError(
            f"pairs: expected two different variables, got {ids[edge].tolist()} at edge {edge}; "
            "put a term of one variable into the unaries"
        )
    return np.ascontiguousarray(ids.T)
