"""Pool: an indicator that is on when exactly one of its choices is on, and off when none is (max-pooling)."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from ..engine.signatures import ArrayLike
from ._parts.group import AbstractGroup, joined_ids, last_by_the_others, wired
from ._parts.hard import exclusive, exclusive_max


class Pool(AbstractGroup):
    """indicator = choice_1 + ... + choice_m: all off, or the indicator and one choice on; else -inf. O(m) messages.

    Members are the choices c_i, then the indicator p (Section 2.4). Messages: min(p, -largest of the other c) to each
    choice, and the largest c to the indicator.
    """

    argument: ClassVar[str] = "choices and indicator"

    def __init__(self, choices: ArrayLike, indicator: ArrayLike):
        """Args:
        choices: ids, (F, m), one factor a row; (m,) is one factor.
        indicator: ids, (F,), or one id.

        Raises: TypeError or ValueError that names the argument.
        """
        self.ids, self.incidence = wired(joined_ids("choices", choices, "indicator", indicator))

    @property
    def determined(self):
        return last_by_the_others(self.ids)

    def respond(self, incoming):
        choices, indicator = incoming[:, :-1], incoming[:, -1:]
        to_choices = jnp.minimum(indicator, -exclusive_max(choices))  # p - max(0, p + largest of the others)
        return jnp.concatenate([to_choices, choices.max(1, keepdims=True)], axis=1)

    def soft_respond(self, incoming, temperature):
        choices, indicator = incoming[:, :-1], incoming[:, -1:]
        to_choices = -jnp.logaddexp(-indicator, exclusive(jnp.logaddexp, -jnp.inf, choices))
        return jnp.concatenate([to_choices, jax.nn.logsumexp(choices, 1, keepdims=True)], axis=1)

    def violation(self, x, which):
        return jnp.abs(x[:, :-1].sum(1) - x[:, -1])
