"""Parity: an even, or an odd, number of ones among n variables (XOR; the checks of error-correcting codes)."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from ..engine import validate
from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from ._parts.group import AbstractGroup, member_ids, wired
from ._parts.hard import exclusive


class Parity(AbstractGroup):
    """The number of ones among n variables is even (or odd); score 0 where it is, else -inf. O(n) messages.

    The message (Section 2.4) to each has the sign of the product of the others' log-odds and the size of the smallest.

    z = x XOR y is the even parity of (x, y, z).
    """

    odd: Bool[Array, " F"]

    def __init__(self, ids: ArrayLike, odd: ArrayLike = False):
        """Args:
        ids: (F, n), one factor a row; (n,) is one factor. These are ids, not a parity-check matrix H of 0 and 1: use
            ids = [np.flatnonzero(row) for row in H], and a group of its own for each number of ones in a row.
        odd: whether the number of ones is odd, for all factors or (F,).

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        wanted = validate.rectangular("odd", odd)
        if wanted.dtype.kind != "b" or wanted.shape not in ((), members.shape[:1]):
            raise ValueError(
                f"odd: expected True, False or {members.shape[0]} of them, got {validate.describe(odd)}"
            )  # fmt: skip
        self.odd = on_device(np.broadcast_to(wanted, members.shape[:1]))

    def respond(self, incoming):
        return self._signed(exclusive(_weaker, jnp.inf, -incoming))

    def soft_respond(self, incoming, temperature):
        return self._signed(exclusive(_soft_weaker, jnp.inf, -incoming))

    def _signed(self, even_odds):
        """Messages from the log-odds that the others have an even number of ones."""
        return jnp.where(like(self.odd, even_odds), even_odds, -even_odds)

    def violation(self, x, which):
        ones = x.sum(1) + like(self.odd[which], x[:, 0]).astype(x.dtype)
        return ones % 2.0


def _weaker(a, b):
    """Log-odds that two sets are both even or both odd, given those of each set: the weaker of the two decides."""
    return jnp.sign(a) * jnp.sign(b) * jnp.minimum(jnp.abs(a), jnp.abs(b))


def _soft_weaker(a, b):
    """`_weaker` at temperature 1: 2 artanh(tanh(a/2) tanh(b/2)), in a form that does not saturate."""
    proven = jnp.isinf(a) | jnp.isinf(b)  # then one of the sets has a known parity, and the other decides alone
    a_, b_ = jnp.where(proven, 0.0, a), jnp.where(proven, 0.0, b)
    return _weaker(a, b) + jnp.log1p(jnp.exp(-jnp.abs(a_ + b_))) - jnp.log1p(jnp.exp(-jnp.abs(a_ - b_)))
