"""Dense pairwise factor: every pair of a set of binary variables (the Ising model of Appendix C.1)."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .. import validate
from ..planes import Planes, Rows, add_log_odds, like, log_odds, ones
from . import tiles
from .base import AbstractFactor, check_binary, positions
from .pairwise import bounded, corner_tables, pair_bethe, pair_message, soft_pair_message, two_states


class DensePairwise(AbstractFactor):
    """All pairs of k binary variables: score 1/2 x'Wx = sum_{i<j} w_ij x_i x_j, x in {0,1} (Appendix C.1).

    The diagonal of W is not used. W stays symmetric under the gradient of the score, which is half the moment
    difference for each of w_ij and w_ji. Messages: log-odds in tiles of the upper triangle, part by part, to the rows
    and to the columns (see `tiles`); `matrix` has them as (k, k). Memory and cost of a sweep: k^2 for each copy.
    """

    weight: Float[Array, "k k"]
    at: Int[Array, " k"]

    def __init__(self, at, weight):
        """Args:
        at: ids of the variables, (k,) or the shape of a block, distinct.
        weight: W, (k, k), symmetric, in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        ids = validate.ids("at", at)
        validate.distinct("at", ids)
        self.weight = validate.parameter("weight", weight, (ids.size, ids.size))
        if not validate.is_traced(self.weight):
            gap = np.abs(np.asarray(self.weight) - np.asarray(self.weight).T)
            if gap.max(initial=0.0) > 1e-5 * max(1.0, float(np.abs(self.weight).max())):
                i, j = np.unravel_index(gap.argmax(), gap.shape)
                raise ValueError(
                    f"weight: expected a symmetric matrix, got weight[{i}, {j}] = {self.weight[i, j]} and "
                    f"weight[{j}, {i}] = {self.weight[j, i]}; symmetrise it with (weight + weight.T) / 2"
                )
        self.weight = self.off_diagonal()
        self.at = jnp.asarray(ids)

    @property
    def scopes(self):
        first, second = np.triu_indices(self.at.size, 1)
        at = np.asarray(self.at)
        return (np.stack([at[first], at[second]], axis=1),)

    def couples(self, members):
        return bool(members[np.asarray(self.at)].sum() > 1)

    def spread(self):
        return 0.5 * jnp.abs(self.off_diagonal()).sum()

    def check(self, variables):
        check_binary("at", np.asarray(self.at), variables)

    def off_diagonal(self):
        return jnp.where(jnp.eye(len(self.weight), dtype=bool), 0.0, self.weight)

    def score(self, states):
        x = ones(states, self.at)
        return quadratic(self.weight, x)

    def neutral_messages(self, batch):
        halves = [0.5 * tile.reshape(tile.shape + (1,) * len(batch)) for tile in tiles.split(self.weight)]
        return tuple((jnp.broadcast_to(half, half.shape[:3] + batch),) * 2 for half in halves)

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, self.at, tiles.sums(messages, self.at.size))

    def update(self, beliefs, messages):
        return tuple(
            (pair_message(columns, weight), pair_message(rows, weight))
            for weight, rows, columns in self.incoming(beliefs, messages)
        )

    def soft_update(self, beliefs, messages, temperature):
        return tuple(
            (soft_pair_message(columns, weight, temperature), soft_pair_message(rows, weight, temperature))
            for weight, rows, columns in self.incoming(beliefs, messages, temperature)
        )

    def incoming(self, beliefs, messages, temperature=0.0):
        """For each part of the tiles the weights, and log-odds of rows and columns without each pair's message."""
        belief = bounded(log_odds(beliefs, self.at), self.off_diagonal(), temperature)
        for weight, ends, (to_rows, to_columns) in zip(
            tiles.split(self.weight), tiles.ends(belief), messages, strict=True
        ):
            yield like(weight, to_rows), ends[0] - to_rows, ends[1] - to_columns

    def matrix(self, messages):
        """The messages as (k, k, *batch): [i, j] = n(j->i), the log-odds that j sends to i."""
        return tiles.join(messages, self.at.size)

    def bethe(self, beliefs, messages, temperature):
        belief, sent = bounded(log_odds(beliefs, self.at), self.off_diagonal(), temperature), self.matrix(messages)
        first, second = np.triu_indices(self.at.size, 1)
        ends = two_states(belief[first]), two_states(belief[second])
        incoming = ends[0] - two_states(sent[first, second]), ends[1] - two_states(sent[second, first])
        table = jnp.moveaxis(self.pair_tables()[1], 0, -1)  # (2, 2, P)
        return pair_bethe(like(table, incoming[0][:, None]), ends, incoming, temperature).sum(0)

    def pair_tables(self):
        first, second = np.triu_indices(self.at.size, 1)
        return jnp.stack([self.at[first], self.at[second]], 1), corner_tables(self.weight[first, second])

    def locate(self, at):
        """Positions in the group, k where absent."""
        return positions(self.at, at)

    def conditional(self, states: Planes, at, where) -> Rows:
        x = ones(states, self.at)
        slot = jnp.minimum(where, self.at.size - 1)
        rows = self.weight[slot]
        field = jnp.tensordot(rows, x, 1) - like(self.weight[slot, slot], x) * x[slot]
        field = jnp.where(like(where < self.at.size, field), field, 0.0)
        zero = jnp.zeros((states.shape[0], *field.shape), field.dtype)
        return add_log_odds(zero, jnp.arange(where.size), field)

    def shift(self, fields, variable, rise, where):
        last = self.at.size - 1
        slot = where[variable]
        rows = self.weight[jnp.minimum(slot, last)]  # (batch, k)
        rows = jnp.where(jnp.arange(last + 1, dtype=slot.dtype) == slot[:, None], 0.0, rows)
        both = (where <= last)[:, None] & (slot <= last)  # in the group: who hears of it, and who changed
        # read at `where`: adding at `at` is a scatter, which takes longer
        return fields + jnp.where(both, rise * rows.T[jnp.minimum(where, last)], 0.0)

    def free_parameters(self):
        """All but the diagonal."""
        return eqx.tree_at(lambda factor: factor.weight, super().free_parameters(), ~np.eye(self.at.size, dtype=bool))

    def tied(self):
        """W made symmetric, with no diagonal."""
        weight = self.off_diagonal()
        return eqx.tree_at(lambda factor: factor.weight, self, 0.5 * (weight + weight.T))


@jax.custom_jvp
def quadratic(weight: Float[Array, "k k"], x: Float[Array, "k *batch"]) -> Float[Array, "*batch"]:
    """1/2 x'Wx without the diagonal.

    The diagonal is subtracted, for W with zeros there would be a new matrix at every look. In the gradient that would
    leave a rounding error, which Adam makes a step of full size: there the zeros are set.
    """
    fields = jnp.tensordot(weight, x, 1) - like(jnp.diagonal(weight), x) * x
    return 0.5 * jnp.sum(x * fields, axis=0)


@quadratic.defjvp
def _quadratic_jvp(primals, tangents):
    (weight, x), (d_weight, d_x) = primals, tangents
    inside = jnp.eye(x.shape[0], dtype=bool)
    plain, d_plain = (jnp.where(inside, 0.0, matrix) for matrix in (weight, d_weight))
    fields, d_fields = jnp.tensordot(plain, x, 1), jnp.tensordot(d_plain, x, 1)
    symmetric = 0.5 * (fields + jnp.tensordot(plain.T, x, 1))
    return 0.5 * jnp.sum(x * fields, axis=0), jnp.sum(d_x * symmetric + 0.5 * x * d_fields, axis=0)
