"""Cardinality constraints: exactly, at most or at least k of n binary variables are 1."""

from abc import abstractmethod

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from .count import soft_count_messages
from .group import AbstractGroup, member_ids, wired


class AbstractCardinality(AbstractGroup):
    """A constraint on the number of ones among n variables: score 0 if it holds, else -inf.

    Let t_(k) be the k-th largest of the incoming log-odds. The message of exactly-k is -t_(k+1) to the variables with
    the k largest log-odds and -t_(k) to the others. The one-sided constraints (at most, at least) send the same message
    if it has the right sign, and 0 otherwise. Cost: O(n log n) for each factor, and O(n^3) with `SumProduct`.
    """

    k: Int[Array, " F"]

    def __init__(self, ids: ArrayLike, k: ArrayLike):
        """Args:
        ids: (F, n), one factor per row; (n,) is one factor. For one factor over a block of two axes write
            ids.reshape(-1), because each row would be a factor.
        k: the number of ones, from 0 to n: one number for all factors, or (F,).

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        self.k = on_device(numbers("k", k, members))

    @abstractmethod
    def excess(self, count: Array) -> Array:
        """Return the distance of the number of ones from the allowed ones, given `count` = number of ones minus k."""

    @abstractmethod
    def one_sided(self, messages: Array) -> Array:
        """Return the messages of this constraint, computed from those of exactly-k."""

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
    """Exactly k of n variables are 1 (Section 3; Swersky et al. 2012).

    Messages: -t_(k+1) to the variables with the k largest incoming log-odds, -t_(k) to the others, where t_(k) is the
    k-th largest incoming log-odds. Cost of a sweep: O(n log n) for each factor.
    """

    __init__ = AbstractCardinality.__init__  # repeated because type checkers would derive one from the fields

    def excess(self, count):
        return jnp.abs(count)

    def one_sided(self, messages):
        return messages


class AtMostK(AbstractCardinality):
    """At most k of n variables are 1 (Section 3).

    Messages: min(0, message of exactly-k). Cost of a sweep: O(n log n) for each factor.
    """

    __init__ = AbstractCardinality.__init__  # repeated because type checkers would derive one from the fields

    def excess(self, count):
        return jnp.maximum(count, 0.0)

    def one_sided(self, messages):
        return jnp.minimum(messages, 0.0)


class AtLeastK(AbstractCardinality):
    """At least k of n variables are 1 (Section 3).

    Messages: max(0, message of exactly-k). Cost of a sweep: O(n log n) for each factor.
    """

    __init__ = AbstractCardinality.__init__  # repeated because type checkers would derive one from the fields

    def excess(self, count):
        return jnp.maximum(-count, 0.0)

    def one_sided(self, messages):
        return jnp.maximum(messages, 0.0)


def ExactlyOne(ids: ArrayLike) -> ExactlyK:
    """Return an `ExactlyK` with k = 1: exactly one of n variables is 1 (a one-hot constraint).

    Args:
        ids: (F, n), one factor per row; (n,) is one factor.

    Cost of a sweep: O(n log n) for each factor. Raises: TypeError or ValueError that names the argument.
    """
    return ExactlyK(ids, k=1)


def numbers(name: str, value: ArrayLike, members: np.ndarray) -> np.ndarray:
    """Return checked whole numbers from 0 to n, one for each factor."""
    array = checks.rectangular(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected a whole number, got {array.dtype} {value}")
    if array.shape not in ((), members.shape[:1]):
        raise ValueError(f"{name}: expected one number or shape ({members.shape[0]},), got {array.shape}")
    lowest, highest = array.min(initial=0), array.max(initial=0)
    if lowest < 0 or highest > members.shape[1]:
        wrong = lowest if lowest < 0 else highest
        raise ValueError(f"{name}: expected 0 .. {members.shape[1]}, the number of variables in a factor, got {wrong}")
    return np.broadcast_to(array, members.shape[:1]).astype(np.int32)
