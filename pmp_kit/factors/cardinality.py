"""Cardinality: exactly, at most or at least k of n variables are on."""

from abc import abstractmethod

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from ..engine import validate
from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from ._parts.group import AbstractGroup, member_ids, wired
from .count import soft_count_messages


class AbstractCardinality(AbstractGroup):
    """A constraint on how many of n variables are on; score 0 where it holds, else -inf. O(n log n) messages.

    With t_(k) the k-th largest of the incoming log-odds, exactly-k says -t_(k+1) to those of the k largest and
    -t_(k) to the others; the one-sided constraints say the same where it has the right sign, else nothing.
    """

    k: Int[Array, " F"]

    def __init__(self, ids: ArrayLike, k: ArrayLike):
        """Args:
        ids: (F, n), one factor a row; (n,) is one factor.
        k: the number, from 0 to n, for all factors or (F,).

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        self.k = on_device(numbers("k", k, members))

    @abstractmethod
    def excess(self, count: Array) -> Array:
        """How far a number of ones (counted from k) is outside, 0 where it is allowed."""

    @abstractmethod
    def one_sided(self, messages: Array) -> Array:
        """Messages of exactly-k, as far as this constraint says them."""

    def respond(self, incoming):
        edge = jnp.full_like(incoming[:, :1], jnp.inf)
        largest = jnp.concatenate([edge, -jnp.sort(-incoming, axis=1), -edge], axis=1)
        row = jnp.arange(self.k.size)
        inner, outer = largest[row, self.k][:, None], largest[row, self.k + 1][:, None]  # t_(k), t_(k+1)
        return self.one_sided(-jnp.where(incoming >= inner, outer, inner))

    def soft_respond(self, incoming, temperature):
        count = jnp.arange(self.ids.shape[1] + 1, dtype=incoming.dtype)
        outside = self.excess(count - self.k[:, None].astype(incoming.dtype)) > 0
        return soft_count_messages(incoming, jnp.where(outside, -jnp.inf, 0.0).astype(incoming.dtype))

    def violation(self, x, which):
        count = x.sum(1)
        return self.excess(count - like(self.k[which], count).astype(x.dtype))


class ExactlyK(AbstractCardinality):
    """Exactly k of n variables are on (Section 3; Swersky et al. 2012). Cost of a sweep O(n log n) a factor."""

    __init__ = AbstractCardinality.__init__  # said again, or type checkers derive one from the fields

    def excess(self, count):
        return jnp.abs(count)

    def one_sided(self, messages):
        return messages


class AtMostK(AbstractCardinality):
    """At most k of n variables are on: min(0, message of exactly-k) (Section 3). Cost O(n log n) a factor."""

    __init__ = AbstractCardinality.__init__  # said again, or type checkers derive one from the fields

    def excess(self, count):
        return jnp.maximum(count, 0.0)

    def one_sided(self, messages):
        return jnp.minimum(messages, 0.0)


class AtLeastK(AbstractCardinality):
    """At least k of n variables are on: max(0, message of exactly-k) (Section 3). Cost O(n log n) a factor."""

    __init__ = AbstractCardinality.__init__  # said again, or type checkers derive one from the fields

    def excess(self, count):
        return jnp.maximum(-count, 0.0)

    def one_sided(self, messages):
        return jnp.maximum(messages, 0.0)


def ExactlyOne(ids: ArrayLike) -> ExactlyK:
    """Exactly one of n variables is on (one-hot): `ExactlyK` with k = 1; ids (F, n), one factor a row. O(n log n)."""
    return ExactlyK(ids, k=1)


def numbers(name: str, value: ArrayLike, members: np.ndarray) -> np.ndarray:
    """Checked whole numbers from 0 to n, one for each factor."""
    array = validate.rectangular(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected a whole number, got {array.dtype} {value}")
    if array.shape not in ((), members.shape[:1]):
        raise ValueError(f"{name}: expected one number or shape ({members.shape[0]},), got {array.shape}")
    if array.min() < 0 or array.max() > members.shape[1]:
        wrong = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"{name}: expected 0 .. {members.shape[1]}, the number of variables in a factor, got {wrong}")
    return np.broadcast_to(array, members.shape[:1]).astype(np.int32)
