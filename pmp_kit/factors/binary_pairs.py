"""Pairs of binary variables, score w x_i x_j: the base of `Edges`, `Bipartite` and `DensePairwise` (Appendix C.1)."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine.planes import Planes, like
from ..engine.reductions import larger, smaller
from ..engine.signatures import Number, PyTree
from .base import AbstractFactor
from .bethe import table_bethe

SATURATED = 50.0
"""Log-odds / temperature at which sum-product equals max-product, because exp(-50) is below the rounding error."""


class AbstractBinaryPairs(AbstractFactor):
    """Pairs (i, j) of binary variables with the score w x_i x_j.

    The messages are two arrays of log-odds, to the first and to the second variable of each pair. A class chooses their
    layout, and defines `weights`, `cavities`, and what `AbstractFactor` requires except `neutral_messages` and
    `update`.
    """

    binary: ClassVar[bool] = True

    @property
    @abstractmethod
    def weights(self) -> Float[Array, "*layout"]:
        """The weight w of each pair, in the layout of the messages."""

    @abstractmethod
    def cavities(
        self, beliefs: Planes, messages: PyTree, temperature: Number = 0.0
    ) -> tuple[Float[Array, "*layout_and_batch"], Float[Array, "*layout_and_batch"]]:
        """Return the cavity log-odds of the first and of the second variable of each pair, from `bounded` beliefs."""

    @property
    def sides(self) -> int:
        return 2

    def bounds(self):
        size = jnp.abs(self.weights).sum()
        return size, size

    def neutral_messages(self, batch):
        half = 0.5 * self.weights
        half = jnp.broadcast_to(half.reshape(half.shape + (1,) * len(batch)), half.shape + batch)
        return half, half

    def update(self, beliefs, messages):
        return self._updated(beliefs, messages, 0.0, pair_message)

    def update_side(self, beliefs: Planes, messages: PyTree, side: int) -> PyTree:
        new = self.update(beliefs, messages)[side]
        return (new, messages[1]) if side == 0 else (messages[0], new)

    def soft_update(self, beliefs, messages, temperature):
        return self._updated(beliefs, messages, temperature, partial(soft_pair_message, temperature=temperature))

    def _updated(self, beliefs: Planes, messages: PyTree, temperature: Number, message: Callable) -> PyTree:
        """Return the messages to the first and to the second variable, each from the cavity of the other one."""
        weight = like(self.weights, messages[0])
        first, second = self.cavities(beliefs, messages, temperature)
        return message(second, weight), message(first, weight)

    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"]:
        """Return the pairs' part of Eq. (4), the sum over all pairs of `table_bethe`."""
        weight = self.weights
        incoming = [two_states(end) for end in self.cavities(beliefs, messages, temperature)]
        ends = [end + two_states(message) for end, message in zip(incoming, messages, strict=True)]
        parts = table_bethe(corner_tables(weight), ends, incoming, temperature)
        return jnp.sum(jnp.where(like(weight != 0, parts), parts, 0.0), axis=tuple(range(weight.ndim)))


def pair_message(incoming, weight):
    """Return the message max(0, p + w) - max(0, p) that a factor w x_i x_j sends to x_j (Eq. 7 of the paper).

    Args:
        incoming: p, the cavity log-odds of x_i, finite.
        weight: w, finite, broadcastable to `incoming`.
    """
    # max(0, p) is taken off both terms, because the difference of two large terms would lose a small weight
    negative = smaller(incoming, 0.0)
    return larger(negative + weight, negative - incoming)


def soft_pair_message(incoming, weight, temperature):
    """Return `pair_message` at temperature T, T log(1 + exp((p + w) / T)) - T log(1 + exp(p / T)) (Section 2.3)."""

    def beyond(log_odds):  # T log(1 + exp(x / T)) - max(0, x), which vanishes for large |x|
        return temperature * jnp.log1p(jnp.exp(-jnp.abs(log_odds) / temperature))

    return pair_message(incoming, weight) + (beyond(incoming + weight) - beyond(incoming))


def bounded(log_odds, weight, temperature: Number = 0.0):
    """Return the beliefs clipped to +-3 max|w| (+ 50 T at temperature T).

    Clipping makes the infinite beliefs of clamped variables finite and changes no message. A message is at most |w|, so
    a belief beyond 2 max|w| has |p| > |w|, where the message is saturated. At a temperature T > 0 it saturates at
    larger log-odds.
    """
    bound = 3.0 * jnp.max(jnp.abs(weight), initial=0.0) + SATURATED * temperature
    return smaller(larger(log_odds, -bound), bound)


def corner_tables(weight):
    """Return the tables (P, 2, 2) of w x_i x_j for weights (P,)."""
    return jnp.zeros((*weight.shape, 2, 2), weight.dtype).at[..., 1, 1].set(weight)


def two_states(log_odds):
    """Return the scores (2, ...) of the states 0 and 1 for log-odds."""
    return jnp.stack([jnp.zeros_like(log_odds), log_odds])
