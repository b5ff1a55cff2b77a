"""Parallel MPLP (max-product linear programming): all edges at once with damping, a negative result (Section 5.2)."""

import jax.numpy as jnp

from ....engine import checks
from ....engine.signatures import Number
from ....factors.hard import without
from ....solvers.max_product import DAMPING, MOST_DAMPING
from ....solvers.mplp import MPLP, beliefs_of, difference, edge_messages


class ParallelMPLP(MPLP):
    """MPLP with damped updates of all edges at once, which works poorly (Section 5.2).

    Damped parallel updates work for max-product but not for MPLP. Each edge redistributes half of the scores of its
    variables. In parallel, all edges of a variable redistribute the same half, so the dual value no longer decreases.
    It is still an upper bound of the best score (`bound`), but a loose one. Cost of a sweep: 2 C^2 E, parallel in E.
    """

    damping: Number

    def __init__(self, damping: Number = DAMPING, tolerance: Number = 1e-4, keep_best: bool = True):
        """Args:
        damping: share of the OLD message that is kept, in [0, 0.999].
        tolerance, keep_best: as for `MPLP`.

        Raises: TypeError or ValueError that names the argument.
        """
        super().__init__(tolerance, keep_best)
        self.damping = checks.number("damping", damping, 0.0, MOST_DAMPING)

    def renewed(self, graph, unaries, model, state):
        scores = beliefs_of(model, state.pair_messages)
        old = jnp.moveaxis(state.pair_messages, (0, 1, 2), (2, 0, 1))  # (2, C, E, batch)
        first, second = (without(scores[:, model.pairs[:, side]], old[side]) for side in (0, 1))
        new = edge_messages(jnp.moveaxis(model.tables, 0, -1)[..., None], first, second, old)
        change = difference(new, old)
        residual = jnp.max(jnp.abs(change), axis=(0, 1, 2), initial=0.0)
        mixed, limit = old + (1.0 - self.damping) * change, graph.score_range(unaries)
        # messages that overshoot grow in every sweep; the bound holds for any finite messages
        mixed = jnp.where(jnp.isfinite(mixed), jnp.clip(mixed, -limit, limit), mixed)
        return jnp.moveaxis(mixed, (0, 1, 2), (1, 2, 0)), residual
