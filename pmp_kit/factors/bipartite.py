"""Bipartite factor: all pairs between two sets of variables (the restricted Boltzmann machine of Appendix C.2)."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.planes import add_log_odds, contract, like, log_odds, of_log_odds, ones
from ..engine.signatures import ArrayLike
from .base import check_binary, positions
from .binary_pairs import AbstractBinaryPairs, bounded, corner_tables


class Bipartite(AbstractBinaryPairs):
    """All pairs between two sets of binary variables: score r'Wc = sum_ij w_ij r_i c_j (Appendix C.2).

    The messages are two arrays (R, C, *batch): entry [i, j] is the message to row i in the first array and to column j
    in the second. Alternating schedules update first the messages to the rows, then those to the columns. Memory and
    cost of a sweep: 2 R C for each batch element.
    """

    weight: Float[Array, "R C"]
    rows: Int[Array, " R"]
    columns: Int[Array, " C"]

    def __init__(self, rows: ArrayLike, columns: ArrayLike, weight: ArrayLike):
        """Args:
        rows, columns: ids of the two sets of variables, all distinct; blocks of any shape are flattened.
        weight: W, (R, C), in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        row_ids, column_ids = checks.ids("rows", rows), checks.ids("columns", columns)
        checks.distinct("rows and columns", np.concatenate([row_ids, column_ids])[None])
        if not row_ids.size or not column_ids.size:
            raise ValueError(
                f"rows and columns: expected at least one variable each, got {row_ids.size} and {column_ids.size}"
            )
        self.weight = checks.parameter("weight", weight, (row_ids.size, column_ids.size))
        self.rows, self.columns = on_device(row_ids), on_device(column_ids)

    @property
    def weights(self):
        return self.weight

    @property
    def scopes(self):
        rows, columns = np.meshgrid(np.asarray(self.rows), np.asarray(self.columns), indexing="ij")
        return (np.stack([rows.reshape(-1), columns.reshape(-1)], axis=1),)

    def couples(self, members):
        return bool(members[np.asarray(self.rows)].any() and members[np.asarray(self.columns)].any())

    def check(self, variables):
        check_binary("rows", np.asarray(self.rows), variables)
        check_binary("columns", np.asarray(self.columns), variables)

    def score(self, states):
        rows, columns = ones(states, self.rows), ones(states, self.columns)
        return jnp.sum(rows * contract(self.weight, columns), axis=0)

    def to_variables(self, messages, beliefs):
        beliefs = add_log_odds(beliefs, self.rows, messages[0].sum(1))
        return add_log_odds(beliefs, self.columns, messages[1].sum(0))

    def cavities(self, beliefs, messages, temperature=0.0):
        rows = bounded(log_odds(beliefs, self.rows), self.weight, temperature)
        columns = bounded(log_odds(beliefs, self.columns), self.weight, temperature)
        return rows[:, None] - messages[0], columns[None] - messages[1]

    def pair_tables(self):
        row, column = np.indices(self.weight.shape).reshape(2, -1)
        return jnp.stack([self.rows[row], self.columns[column]], 1), corner_tables(self.weight[row, column])

    def locate(self, at):
        """Return the positions among the rows and among the columns, or R and C for absent variables."""
        return positions(self.rows, at), positions(self.columns, at)

    def conditional(self, states, at, where):
        field = _field(self.weight, 0, ones(states, self.columns), where[0])
        field = field + _field(self.weight, 1, ones(states, self.rows), where[1])
        return of_log_odds(field, states.shape[0]), None


def _field(weight, axis, others, at):
    """Return W x for the rows `at`, or x'W for the columns `at` (`axis` 1); 0 for positions past the end.

    A block of variables is usually one whole set. So the product is left out if no variable is in this set, and it is
    that of the whole matrix where a copy of its rows or columns would be as large.
    """
    size = weight.shape[axis]
    slot, few = jnp.minimum(at, size - 1), at.shape[0] < size

    def product():
        part = jnp.take(weight, slot, axis) if few else weight
        # XLA takes four times as long for the product of a transposed matrix and a vector
        every = contract(part, others) if axis == 0 else jnp.moveaxis(contract(others, part, (0, 0)), -1, 0)
        return every if few else every[slot]

    field = jax.lax.cond((at < size).any(), product, lambda: jnp.zeros((*at.shape, *others.shape[1:]), others.dtype))
    return jnp.where(like(at < size, field), field, 0.0)
