"""Logic gates: a child that is the OR, or the AND, of any number of parents (Appendix C.3)."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from ..engine.signatures import ArrayLike
from ._parts.group import AbstractGroup, joined_ids, last_by_the_others, wired
from ._parts.hard import exclusive, exclusive_max, exclusive_sum


class AbstractGate(AbstractGroup):
    """F gates of m parents and one child each; members are the parents, then the child. O(m) messages (Appendix C.3).

    Mark the child's block as auxiliary where it is no variable of its own: it is then never perturbed.
    """

    argument: ClassVar[str] = "parents and child"

    def __init__(self, parents: ArrayLike, child: ArrayLike):
        """Args:
        parents: ids, (F, m), one gate a row; (m,) is one gate. One parent makes a copy.
        child: ids, (F,), or one id.

        Raises: TypeError or ValueError that names the argument.
        """
        self.ids, self.incidence = wired(joined_ids("parents", parents, "child", child))

    @property
    def determined(self):
        return last_by_the_others(self.ids)


class Or(AbstractGate):
    """child = parent_1 OR ... OR parent_m; score 0 where it holds, else -inf (Appendix C.3)."""

    __init__ = AbstractGate.__init__  # said again, or type checkers derive one from the fields

    def respond(self, incoming):
        return or_messages(incoming[:, :-1], incoming[:, -1:])

    def soft_respond(self, incoming, temperature):
        return soft_or_messages(incoming[:, :-1], incoming[:, -1:])

    def violation(self, x, which):
        return jnp.abs(x[:, -1] - x[:, :-1].max(1))


class And(AbstractGate):
    """child = parent_1 AND ... AND parent_m; score 0 where it holds, else -inf (Appendix C.3).

    By De Morgan an OR of what is not: messages of the opposite sign.
    """

    __init__ = AbstractGate.__init__  # said again, or type checkers derive one from the fields

    def respond(self, incoming):
        return -or_messages(-incoming[:, :-1], -incoming[:, -1:])

    def soft_respond(self, incoming, temperature):
        return -soft_or_messages(-incoming[:, :-1], -incoming[:, -1:])

    def violation(self, x, which):
        return jnp.abs(x[:, -1] - x[:, :-1].min(1))


def or_messages(parents, child):
    """Messages to all members of an OR, from log-odds t of the parents (F, m, ...) and b of the child (F, 1, ...).

    To the child: sum max(0, t) + min(0, max t). To parent i, k the largest t of the others:
    min(b + sum over others of max(0, t), max(0, k) - k) (Appendix C.3).
    """
    positive, rival = jnp.maximum(parents, 0.0), exclusive_max(parents)
    to_parents = jnp.minimum(child + exclusive_sum(positive), jnp.maximum(-rival, 0.0))
    to_child = positive.sum(1, keepdims=True) + jnp.minimum(parents.max(1, keepdims=True), 0.0)
    return jnp.concatenate([to_parents, to_child], axis=1)


def soft_or_messages(parents, child):
    """`or_messages` at temperature 1.

    With "off" the log-probability that all of a set of parents are 0, each drawn from its log-odds, and "on" that some
    is 1: on - off to the child, and to parent i, over the others, -log(e^(off - b) + e^on). No sum of large numbers is
    subtracted, and log-odds may be infinite.
    """
    alone = jax.nn.log_sigmoid(-parents), jax.nn.log_sigmoid(parents)
    off, on = exclusive(_either, (0.0, -jnp.inf), alone)
    to_parents = -jnp.logaddexp(off - child, on)
    all_off, some_on = (values[:, -1:] for values in jax.lax.associative_scan(_either, alone, axis=1))
    return jnp.concatenate([to_parents, some_on - all_off], axis=1)


def _either(first, second):
    """Log-probabilities of "all off" and "some on" of two sets of parents together."""
    return first[0] + second[0], jnp.logaddexp(first[1], first[0] + second[1])
