"""Parity: an even or odd number of ones among n variables (XOR, and the checks of error-correcting codes)."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from .group import AbstractGroup, member_ids, wired
from .hard import exclusive


class Parity(AbstractGroup):
    """The number of ones among n variables is even (or odd); score 0 if it is, else -inf (Section 2.4).

    Let all log-odds be those of state 0 against state 1. The message of even parity to a variable has the sign of the
    product of the others' log-odds. Its absolute value is the smallest absolute value of these log-odds. The constraint
    z = x XOR y is the even parity of (x, y, z). Cost of a sweep: O(n) for each factor.
    """

    odd: Bool[Array, " F"]

    def __init__(self, ids: ArrayLike, odd: ArrayLike = False):
        """Args:
        ids: (F, n), one factor per row; (n,) is one factor. For a parity-check matrix H of zeros and ones, use
            ids = [np.flatnonzero(row) for row in H], and a separate `Parity` for each number of ones in a row.
        odd: whether the number of ones is odd, (F,) or one for all: True and False, or 1 and 0. To decode many
            syndromes at once, make an observed variable a member of each check instead: its state is the syndrome.

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        wanted = checks.rectangular("odd", odd)
        if wanted.shape not in ((), members.shape[:1]) or not np.isin(wanted, (0, 1)).all():
            raise ValueError(
                f"odd: expected True or False (1 or 0), or {members.shape[0]} of them, got {checks.describe(odd)}"
            )
        self.odd = on_device(np.array(np.broadcast_to(wanted, members.shape[:1]), bool))  # a copy: JAX may share memory

    def respond(self, incoming):
        return self._signed(exclusive(_combined_parity, jnp.inf, -incoming))

    def soft_respond(self, incoming, temperature):
        return self._signed(exclusive(_soft_combined_parity, jnp.inf, -incoming))

    def _signed(self, even_odds):
        """Return the messages, given the log-odds that the other members have an even number of ones."""
        return jnp.where(like(self.odd, even_odds), even_odds, -even_odds)

    def violation(self, x, which):
        ones = x.sum(1) + like(self.odd[which], x[:, 0]).astype(x.dtype)
        return ones % 2.0


def _combined_parity(a, b):
    """Return the log-odds that the union of two sets has an even number of ones, from the log-odds of each set."""
    return jnp.sign(a) * jnp.sign(b) * jnp.minimum(jnp.abs(a), jnp.abs(b))


def _soft_combined_parity(a, b):
    """Return `_combined_parity` at temperature 1, 2 artanh(tanh(a/2) tanh(b/2)), in a form that does not saturate."""
    known = jnp.isinf(a) | jnp.isinf(b)  # the parity of one set is certain, so the corrections below vanish
    a_, b_ = jnp.where(known, 0.0, a), jnp.where(known, 0.0, b)
    return _combined_parity(a, b) + jnp.log1p(jnp.exp(-jnp.abs(a_ + b_))) - jnp.log1p(jnp.exp(-jnp.abs(a_ - b_)))
