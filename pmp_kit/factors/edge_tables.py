"""Edge tables: pairs of variables with any number of states, each with a table of scores (Section 2.4)."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Bool

from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from .table import NWise
from .two_colouring import turned
from .weighted_pairs import edge_ids


class EdgeTables(NWise):
    """Pairs of variables: score sum_e theta_e(x_i, x_j), where theta_e is a table over the two states (Section 2.4).

    A score of -inf forbids a pair of states. Which entries are forbidden is part of the structure, so learning does
    not change it. The variables have two colours (see `factors/two_colouring.py`). Alternating schedules update first
    the messages to one colour, then those to the other. Memory 2 C E and cost of a sweep 2 C^2 E, for each batch
    element; 4 C^2 E with alternating schedules, because each side computes all messages.
    """

    ids_argument: ClassVar[str] = "pairs"

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
        super().__init__(ids.T, table)
        self.turned = on_device(turned(ids))

    @property
    def sides(self) -> int:
        return 2

    def update_side(self, beliefs, messages, side):
        first = self.turned if side else ~self.turned  # pairs whose message to the first variable is on this side
        places = zip((first, ~first), messages, self.update(beliefs, messages), strict=True)
        return tuple(jnp.where(like(here, old[0]), new, old) for here, old, new in places)
