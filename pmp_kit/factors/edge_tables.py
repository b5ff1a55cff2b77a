"""Edge tables: a list of pairs of variables with any number of states, each with a table of scores (Section 2.4)."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..signatures import ArrayLike
from .edges import edge_ids
from .group import wired
from .hard import check_possible, finite_part
from .incidence import Incidence
from .table import AbstractTable, free_entries


class EdgeTables(AbstractTable):
    """Pairs of variables: score sum_e theta_e(x_i, x_j), theta a table of the two states; -inf forbids (Section 2.4).

    Memory 2 C E, cost of a sweep 2 C^2 E, for each copy. A forbidden entry is wiring, no parameter.
    """

    table: Float[Array, "*E_and_states"]
    allowed: Bool[Array, "*E_and_states"] | None
    ids: Int[Array, "E 2"]
    incidence: Incidence

    def __init__(self, pairs: ArrayLike, table: ArrayLike):
        """Args:
        pairs: ids, (E, 2), the two of a pair distinct.
        table: scores in nats, -inf where forbidden; rows are states of the first of the pair. (E, C1, C2), or
            (C1, C2), which is then one table that all edges share and learn together.

        Raises: TypeError or ValueError that names the argument.
        """
        self.ids, self.incidence = wired(edge_ids(pairs).T)
        value, allowed = finite_part("table", table)
        number = self.ids.shape[0]
        if value.ndim not in (2, 3) or (value.ndim == 3 and value.shape[0] != number):
            raise ValueError(f"table: expected shape (C, C) or ({number}, C, C), got {value.shape}")
        check_possible("table", allowed, 2)
        self.table, self.allowed = value, None if allowed is None else jnp.asarray(allowed)

    def own_table(self):
        return self.table if self.allowed is None else jnp.where(self.allowed, self.table, 0.0)

    def free_parameters(self):
        return free_entries(self)
