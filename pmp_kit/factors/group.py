"""The base class of factors of several binary variables: wiring, layout of messages, violations for Gibbs sampling."""

from abc import abstractmethod
from typing import ClassVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.planes import Planes, add_log_odds, like, log_odds, of_log_odds, ones
from ..engine.signatures import ArrayLike, Number
from .base import AbstractFactor, check_binary
from .hard import without
from .incidence import Incidence

MOST_ENTRIES = 2**22
"""The most entries of the tables of a group."""


class AbstractGroup(AbstractFactor):
    """F factors of one type, each of m binary variables.

    The messages are log-odds (F, m, *batch). They are +-inf if the constraint leaves only one state (see `hard.py`).
    The score of a violated constraint is -inf. Samplers that update single variables count the violations, so a chain
    that starts in a forbidden state moves towards an allowed one. A type with finite scores alone overrides `hard`,
    `potential` and `neutral_messages`.
    """

    argument: ClassVar[str] = "ids"
    """The name of the ids in the constructor, for error texts."""

    ids: Int[Array, "F m"]
    incidence: Incidence

    @abstractmethod
    def respond(self, incoming: Float[Array, "F m *batch"]) -> Float[Array, "F m *batch"]:
        """Return the max-product messages to each member from the cavity log-odds of all members."""

    @abstractmethod
    def soft_respond(self, incoming: Float[Array, "F m *batch"], temperature: Number) -> Float[Array, "F m *batch"]:
        """Return sum-product messages / temperature from cavity log-odds / temperature.

        Only factors with a potential use the value of `temperature`.
        """

    @abstractmethod
    def violation(self, x: Float[Array, "A m *batch"], which: Int[Array, " A"]) -> Float[Array, "A *batch"]:
        """Return how far states x of the members of the factors `which` are from an allowed state, 0 if allowed."""

    def potential(self, x: Float[Array, "A m *batch"], which: Int[Array, " A"]) -> Float[Array, "A *batch"]:
        """Return the score of states that satisfy the constraint."""
        return jnp.zeros_like(x[:, 0])

    @property
    def scopes(self):
        return (np.asarray(self.ids),)

    def check(self, variables):
        check_binary(self.argument, np.asarray(self.ids), variables)

    def score(self, states):
        score = self.finite_score(states)
        return jnp.where(self.violations(states) > 0, -jnp.inf, score) if self.hard else score

    def finite_score(self, states):
        return jnp.sum(self.potential(ones(states, self.ids), self._every()), axis=0)

    def violations(self, states):
        return jnp.sum(self.violation(ones(states, self.ids), self._every()), axis=0)

    def _every(self):
        return jnp.arange(self.ids.shape[0])

    def neutral_messages(self, batch):
        """Return zeros, because the mean of a hard constraint's score is not finite."""
        return jnp.zeros((*self.ids.shape, *batch), jnp.result_type(float))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, self.ids, messages)

    def incoming(self, beliefs: Planes, messages: Array) -> Array:
        """Return the cavity log-odds of each member."""
        return without(log_odds(beliefs, self.ids), messages)

    def update(self, beliefs, messages):
        return self.respond(self.incoming(beliefs, messages))

    def soft_update(self, beliefs, messages, temperature):
        return temperature * self.soft_respond(self.incoming(beliefs, messages) / temperature, temperature)

    def as_tables(self):
        """Return a table for each factor, by enumeration; None if they have more than MOST_ENTRIES entries."""
        number, members = self.ids.shape
        if number * 2.0**members > MOST_ENTRIES:
            return None
        x = np.indices((2,) * members, dtype=np.float32).reshape(1, members, 2**members)
        x = jnp.broadcast_to(x, (number, members, 2**members))
        table = self.potential(x, self._every())
        if self.hard:
            table = jnp.where(self.violation(x, self._every()) > 0, -jnp.inf, table)
        return [(self.ids, table.reshape(number, *(2,) * members))]

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states, at, where):
        broken = self._change(self.violation, states, where) if self.hard else None
        return self._change(self.potential, states, where), broken

    def _change(self, measure, states, where):
        """Return the change of `measure`, summed over factors, if a variable goes from 0 to 1: (planes, width, ...)."""
        which, slot, known = self.incidence.places(where)  # (width, degree) each
        x = ones(states, self.ids[which])
        flat, which = x.reshape(which.size, *x.shape[2:]), which.reshape(-1)
        here = like(slot.reshape(-1, 1) == jnp.arange(self.ids.shape[1], dtype=slot.dtype), flat)
        rise = measure(jnp.where(here, 1.0, flat), which) - measure(jnp.where(here, 0.0, flat), which)
        rise = rise.reshape(*known.shape, *rise.shape[1:])
        return of_log_odds(jnp.sum(jnp.where(like(known, rise), rise, 0.0), axis=1), states.shape[0])


def wired(ids: np.ndarray) -> tuple[Int[Array, "F m"], Incidence]:
    """Return the two wiring fields of a group."""
    return on_device(ids), Incidence(np.ascontiguousarray(ids.T))


def member_ids(name: str, value: ArrayLike) -> np.ndarray:
    """Return the checked ids as (F, m), one factor per row; a flat list is one factor."""
    array = checks.rectangular(name, value)
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(
            f"{name}: expected ids (F, m), one factor per row, got shape {np.shape(value)}; use .reshape(-1, m)"
        )
    array = checks.ids(name, array, columns=array.shape[1])
    checks.distinct(name, array)
    return array


def joined_ids(many_name: str, many: ArrayLike, one_name: str, one: ArrayLike) -> np.ndarray:
    """Return the checked ids (F, m + 1) of factors with m members of one kind and a last member of another kind."""
    first = member_ids(many_name, many)
    last = checks.ids(one_name, one)
    if last.size != first.shape[0]:
        raise ValueError(f"{one_name}: expected one id for each of {first.shape[0]} factors, got {last.size}")
    return member_ids(f"{many_name} and {one_name}", np.concatenate([first, last[:, None]], axis=1))


def last_by_the_others(ids) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the `determined` variables of factors whose last member is a function of the other members."""
    return ((np.asarray(ids)[:, -1], np.asarray(ids)[:, :-1]),)
