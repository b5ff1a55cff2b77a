"""Pool: an indicator that is 1 if exactly one of its choices is 1, and 0 if none is (max-pooling)."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from ..engine.signatures import ArrayLike
from .base import AbstractDetermining
from .group import AbstractGroup, joined_ids, last_by_the_others, wired
from .hard import exclusive


class Pool(AbstractGroup, AbstractDetermining):
    """indicator = choice_1 + ... + choice_m; score 0 if it holds, else -inf (Section 2.4).

    Either all variables are 0, or the indicator and exactly one choice are 1. Let c_i be the cavity log-odds of the
    choices and p those of the indicator. The message to a choice is min(p, -max of the other c). The message to the
    indicator is max c. Cost of a sweep: O(m) for each factor.
    """

    argument: ClassVar[str] = "choices and indicator"

    def __init__(self, choices: ArrayLike, indicator: ArrayLike):
        """Args:
        choices: ids, (F, m), one factor per row; (m,) is one factor.
        indicator: ids, (F,), or one id.

        Raises: TypeError or ValueError that names the argument.
        """
        self.ids, self.incidence = wired(joined_ids("choices", choices, "indicator", indicator))

    @property
    def determined(self):
        return last_by_the_others(self.ids)

    def respond(self, incoming):
        choices, indicator = incoming[:, :-1], incoming[:, -1:]
        rival = exclusive(jnp.maximum, -jnp.inf, choices)
        to_choices = jnp.minimum(indicator, -rival)  # p - max(0, p + largest of the others)
        return jnp.concatenate([to_choices, choices.max(1, keepdims=True)], axis=1)

    def soft_respond(self, incoming, temperature):
        choices, indicator = incoming[:, :-1], incoming[:, -1:]
        to_choices = -jnp.logaddexp(-indicator, exclusive(jnp.logaddexp, -jnp.inf, choices))
        return jnp.concatenate([to_choices, jax.nn.logsumexp(choices, 1, keepdims=True)], axis=1)

    def violation(self, x, which):
        return jnp.abs(x[:, :-1].sum(1) - x[:, -1])
