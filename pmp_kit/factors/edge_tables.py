"""Edge tables: a list of pairs of variables with any number of states, each with a table of scores (Section 2.4)."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .. import validate
from ..planes import Planes, Rows, add_scores, indicators, like, scores
from .base import AbstractFactor, check_range
from .edges import edge_ids
from .incidence import Incidence
from .pairwise import pair_bethe


class EdgeTables(AbstractFactor):
    """Pairs of variables: score sum_e theta_e(x_i, x_j), theta a table of the two states (Section 2.4).

    Messages: one array (C, E, *batch) for each side, [c, e] = score that edge e sends to state c of its variable on
    that side, mean zero over the states. Memory 2 C E, cost of a sweep 2 C^2 E, for each copy.
    """

    table: Float[Array, "E C C"]
    pairs: Int[Array, "2 E"]
    incidence: Incidence

    def __init__(self, pairs, table):
        """Args:
        pairs: ids, (E, 2), the two of a pair distinct.
        table: scores, (C1, C2) for all edges or (E, C1, C2), in nats; rows are states of the first of the pair.

        Raises: TypeError or ValueError that names the argument.
        """
        ids = edge_ids(pairs)
        value = validate.parameter("table", table)
        if value.ndim not in (2, 3) or (value.ndim == 3 and value.shape[0] != ids.shape[1]):
            raise ValueError(f"table: expected shape (C, C) or ({ids.shape[1]}, C, C), got {value.shape}")
        self.table = jnp.broadcast_to(value, (ids.shape[1], *value.shape[-2:]))
        self.pairs, self.incidence = jnp.asarray(ids), Incidence(ids)

    def check(self, variables):
        pairs = np.asarray(self.pairs)
        check_range("pairs", pairs, variables)
        for side in (0, 1):
            wrong = variables.cardinalities[pairs[side]] != self.table.shape[1 + side]
            if wrong.any():
                edge = int(np.argmax(wrong))
                expected = variables.cardinalities[pairs[side, edge]]
                raise ValueError(
                    f"table: expected {expected} states on side {side} of edge {edge}, "
                    f"got {self.table.shape[1 + side]}; put pairs of other sizes into an EdgeTables of their own"
                )

    def score(self, states):
        first, second = (indicators(states, self.pairs[s], self.table.shape[1 + s]) for s in (0, 1))
        return jnp.einsum("exy,xe...,ye...->...", self.table, first, second)

    def neutral_messages(self, batch):
        means = self.table.mean(2).T, self.table.mean(1).T
        return tuple(jnp.broadcast_to(_centred(m).reshape(m.shape + (1,) * len(batch)), m.shape + batch) for m in means)

    def to_variables(self, messages, beliefs):
        for side in (0, 1):
            beliefs = add_scores(beliefs, self.pairs[side], messages[side])
        return beliefs

    def update(self, beliefs, messages):
        first, second = (end - message for end, message in zip(self.ends(beliefs), messages, strict=True))
        table = like(self.table.transpose(1, 2, 0), first[:, None])  # (C1, C2, E, *batch)
        return _centred(jnp.max(table + second[None], axis=1)), _centred(jnp.max(table + first[:, None], axis=0))

    def soft_update(self, beliefs, messages, temperature):
        first, second = (end - message for end, message in zip(self.ends(beliefs), messages, strict=True))
        table = like(self.table.transpose(1, 2, 0), first[:, None])
        to_first = jax.nn.logsumexp((table + second[None]) / temperature, axis=1)
        to_second = jax.nn.logsumexp((table + first[:, None]) / temperature, axis=0)
        return _centred(temperature * to_first), _centred(temperature * to_second)

    def bethe(self, beliefs, messages, temperature):
        ends = self.ends(beliefs)
        incoming = [end - message for end, message in zip(ends, messages, strict=True)]
        table = like(self.table.transpose(1, 2, 0), incoming[0][:, None])
        return pair_bethe(table, ends, incoming, temperature).sum(0)

    def ends(self, beliefs):
        """Scores of the variables on each side, (C1, E, *batch) and (C2, E, *batch)."""
        return [scores(beliefs, self.pairs[side], self.table.shape[1 + side]) for side in (0, 1)]

    def pair_tables(self):
        return self.pairs.T, self.table

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states: Planes, at, where) -> Rows:
        edge, other, known = self.incidence.neighbours(where)
        result = jnp.zeros((states.shape[0], where.shape[0], *states.shape[2:]), states.dtype)
        for side in (0, 1):  # the side on which `at` stands
            mine = known & (other == 1 - side)
            table = self.table[edge] if side == 0 else self.table[edge].swapaxes(-1, -2)
            neighbour = jnp.where(mine, self.pairs[1 - side, edge], 0)
            x = indicators(states, neighbour, table.shape[-1])  # (C, width, degree, *batch)
            field = jnp.einsum("wdcy,ywd...->cw...", jnp.where(mine[..., None, None], table, 0.0), x)
            result = add_scores(result, jnp.arange(where.shape[0]), field)
        return result

    def couples(self, members):
        return bool(members[np.asarray(self.pairs)].all(0).any())


def _centred(messages):
    """Messages count up to a constant: take the one with mean zero over the states."""
    return messages - messages.mean(0)
