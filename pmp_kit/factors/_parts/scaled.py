"""A factor whose scores are multiplied by a number, for Markov chains at other temperatures."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..base import AbstractFactor


class Scaled(AbstractFactor):
    """The scores of a factor times b. Constraints stay as they are. It sends no messages.

    The parameters cannot be scaled instead, because the score of `Custom`, or of a factor of the user, need not be
    linear in them.
    """

    factor: AbstractFactor
    b: Float[Array, ""]

    @property
    def hard(self):
        return self.factor.hard

    @property
    def scopes(self):
        return self.factor.scopes

    def score(self, states):
        score = self.factor.score(states)
        return jnp.where(score == -jnp.inf, score, self.b * score)

    def finite_score(self, states):
        return self.b * self.factor.finite_score(states)

    def violations(self, states):
        return self.factor.violations(states)

    def locate(self, at):
        return self.factor.locate(at)

    def conditional(self, states, at, where):
        return self.b * self.factor.conditional(states, at, where)

    def violation_change(self, states, at, where):
        return self.factor.violation_change(states, at, where)

    def shift(self, fields, variable, rise, where):
        change = self.factor.shift(jnp.zeros_like(fields), variable, rise, where)
        return None if change is None else fields + self.b * change

    def neutral_messages(self, batch):
        return ()

    def to_variables(self, messages, beliefs):
        return beliefs

    def update(self, beliefs, messages):
        return messages
