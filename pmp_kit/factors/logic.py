"""Logic gates: a child variable that is the OR or the AND of any number of parents (Appendix C.3)."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from ..engine.signatures import ArrayLike
from .base import AbstractDetermining
from .group import AbstractGroup, joined_ids, last_by_the_others, wired
from .hard import exclusive


class AbstractGate(AbstractGroup, AbstractDetermining):
    """F gates with m parents and one child each (Appendix C.3). The members are the parents, followed by the child.

    Mark the child's block as auxiliary if the child is only a deterministic function of other variables. It is then
    never perturbed. Cost of a sweep: O(m) for each gate.
    """

    argument: ClassVar[str] = "parents and child"

    def __init__(self, parents: ArrayLike, child: ArrayLike):
        """Args:
        parents: ids, (F, m), one gate per row; (m,) is one gate. With one parent, the child equals it.
        child: ids, (F,), or one id.

        Raises: TypeError or ValueError that names the argument.
        """
        self.ids, self.incidence = wired(joined_ids("parents", parents, "child", child))

    @property
    def determined(self):
        return last_by_the_others(self.ids)


class Or(AbstractGate):
    """child = parent_1 OR ... OR parent_m; score 0 if it holds, else -inf (Appendix C.3).

    Mark the child's block as auxiliary if the child is only a deterministic function of other variables. It is then
    never perturbed. Cost of a sweep: O(m) for each gate.
    """

    __init__ = AbstractGate.__init__  # repeated because type checkers would derive one from the fields

    def respond(self, incoming):
        return or_messages(incoming[:, :-1], incoming[:, -1:])

    def soft_respond(self, incoming, temperature):
        return soft_or_messages(incoming[:, :-1], incoming[:, -1:])

    def violation(self, x, which):
        return jnp.abs(x[:, -1] - x[:, :-1].max(1))


class And(AbstractGate):
    """child = parent_1 AND ... AND parent_m; score 0 if it holds, else -inf (Appendix C.3).

    By De Morgan's law this is an OR of the negated variables, so the messages are those of `Or` with opposite signs.
    Mark the child's block as auxiliary if the child is only a deterministic function of other variables. Cost of a
    sweep: O(m) for each gate.
    """

    __init__ = AbstractGate.__init__  # repeated because type checkers would derive one from the fields

    def respond(self, incoming):
        return -or_messages(-incoming[:, :-1], -incoming[:, -1:])

    def soft_respond(self, incoming, temperature):
        return -soft_or_messages(-incoming[:, :-1], -incoming[:, -1:])

    def violation(self, x, which):
        return jnp.abs(x[:, -1] - x[:, :-1].min(1))


def or_messages(parents, child):
    """Return the messages to all members of an OR (Appendix C.3).

    The message to the child is sum max(0, t) + min(0, max t). The message to parent i is
    min(b + sum over the others of max(0, t), max(0, k) - k), where k is the largest t of the other parents.

    Args:
        parents: cavity log-odds t of the parents, (F, m, *batch).
        child: cavity log-odds b of the child, (F, 1, *batch).

    Returns: (F, m + 1, *batch), parents first.
    """
    positive, rival = jnp.maximum(parents, 0.0), exclusive(jnp.maximum, -jnp.inf, parents)
    to_parents = jnp.minimum(child + exclusive(jnp.add, 0.0, positive), jnp.maximum(-rival, 0.0))
    to_child = positive.sum(1, keepdims=True) + jnp.minimum(parents.max(1, keepdims=True), 0.0)
    return jnp.concatenate([to_parents, to_child], axis=1)


def soft_or_messages(parents, child):
    """Return `or_messages` at temperature 1.

    Let each parent be drawn independently from its log-odds. Let "off" be the log-probability that all parents of a
    set are 0, and "on" the log-probability that at least one is 1. The message to the child is on - off. The message to
    parent i is -log(e^(off - b) + e^on), with off and on computed from the other parents. This form subtracts no sums
    of large numbers, and the log-odds may be infinite.
    """
    alone = jax.nn.log_sigmoid(-parents), jax.nn.log_sigmoid(parents)
    off, on = exclusive(_either, (0.0, -jnp.inf), alone)
    to_parents = -jnp.logaddexp(off - child, on)
    all_off, some_on = (values[:, -1:] for values in jax.lax.associative_scan(_either, alone, axis=1))
    return jnp.concatenate([to_parents, some_on - all_off], axis=1)


def _either(first, second):
    """Return the log-probabilities "off" and "on" of the union of two sets of parents."""
    return first[0] + second[0], jnp.logaddexp(first[1], first[0] + second[1])
