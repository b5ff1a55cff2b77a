"""Edge tables: pairs of variables with any number of states, each with a table of scores (Section 2.4)."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from ._parts.group import wired
from ._parts.hard import check_possible, finite_part
from ._parts.incidence import Incidence
from ._parts.sides import turned
from ._parts.weighted_pairs import edge_ids
from .table import AbstractTable, free_entries


class EdgeTables(AbstractTable):
    """Pairs of variables: score sum_e theta_e(x_i, x_j), where theta_e is a table over the two states (Section 2.4).

    A score of -inf forbids a pair of states. Which entries are forbidden is part of the structure, so learning does
    not change it. The variables have two colours (see `factors/_parts/sides.py`). Alternating schedules update first
    the messages to one colour, then those to the other. Memory 2 C E and cost of a sweep 2 C^2 E, for each batch
    element; 4 C^2 E with alternating schedules, because each side computes all messages.
    """

    table: Float[Array, "*E_and_states"]
    allowed: Bool[Array, "*E_and_states"] | None
    ids: Int[Array, "E 2"]
    incidence: Incidence
    turned: Bool[Array, " E"]
    """Which pairs have a first variable of the second colour."""

    def __init__(self, pairs: ArrayLike, table: ArrayLike):
        """Args:
        pairs: ids, (E, 2), with two different ids in each pair.
        table: scores in nats, -inf for forbidden entries; rows are the states of the first variable. (E, C1, C2), or
            (C1, C2) for one table that all edges share.

        Raises: TypeError or ValueError that names the argument.
        """
        ids = edge_ids(pairs)
        self.ids, self.incidence = wired(ids.T)
        self.turned = on_device(turned(ids))
        value, allowed = finite_part("table", table)
        number = self.ids.shape[0]
        if value.ndim not in (2, 3) or (value.ndim == 3 and value.shape[0] != number):
            raise ValueError(f"table: expected shape (C, C) or ({number}, C, C), got {value.shape}")
        check_possible("table", allowed, 2)
        self.table, self.allowed = value, None if allowed is None else on_device(allowed)

    @property
    def sizes(self):
        return self.table.shape[-2:]

    def own_table(self):
        return self.table if self.allowed is None else jnp.where(self.allowed, self.table, 0.0)

    def free_parameters(self):
        return free_entries(self)

    @property
    def sides(self) -> int:
        return 2

    def update_side(self, beliefs, messages, side):
        first = self.turned if side else ~self.turned  # pairs whose message to the first variable is on this side
        places = zip((first, ~first), messages, self.update(beliefs, messages), strict=True)
        return tuple(jnp.where(like(here, old[0]), new, old) for here, old, new in places)
