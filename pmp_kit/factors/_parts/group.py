"""What all factors of several binary variables share: wiring, the layout of messages, and hard constraints in Gibbs."""

from abc import abstractmethod
from typing import ClassVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ...engine import validate
from ...engine.arrays import on_device
from ...engine.planes import Planes, Rows, add_log_odds, like, log_odds, ones
from ...engine.signatures import ArrayLike, Number
from ..base import AbstractFactor, check_binary
from .hard import without
from .incidence import Incidence


class AbstractGroup(AbstractFactor):
    """F factors of one kind, each of m binary variables.

    Messages: log-odds (F, m, *batch), +-inf where the constraint leaves one state (see `hard`). Where a constraint is
    violated the score is -inf. Samplers of single variables count violations, so that a chain that starts outside
    finds its way in.
    """

    argument: ClassVar[str] = "ids"
    """What the constructor calls the ids."""

    ids: Int[Array, "F m"]
    incidence: Incidence

    @abstractmethod
    def respond(self, incoming: Float[Array, "F m *batch"]) -> Float[Array, "F m *batch"]:
        """Max-product messages to each member, from the log-odds of all others without this factor."""

    @abstractmethod
    def soft_respond(self, incoming: Float[Array, "F m *batch"], temperature: Number) -> Float[Array, "F m *batch"]:
        """Sum-product messages / temperature, from incoming log-odds / temperature (only a potential asks which)."""

    @abstractmethod
    def violation(self, x: Float[Array, "A m *batch"], which: Int[Array, " A"]) -> Float[Array, "A *batch"]:
        """How far states x of the members of the factors `which` are from keeping the constraint, 0 where they do."""

    def potential(self, x: Float[Array, "A m *batch"], which: Int[Array, " A"]) -> Float[Array, "A *batch"]:
        """Score of states that keep the constraint."""
        return jnp.zeros_like(x[:, 0])

    @property
    def hard(self) -> bool:
        return True

    @property
    def scopes(self):
        return (np.asarray(self.ids),)

    def spread(self):
        """0: a constraint alone prefers nothing."""
        return jnp.zeros(())

    def check(self, variables):
        check_binary(self.argument, np.asarray(self.ids), variables)

    def score(self, states):
        return jnp.where(self.violations(states) > 0, -jnp.inf, self.finite_score(states))

    def finite_score(self, states):
        return jnp.sum(self.potential(ones(states, self.ids), self._every()), axis=0)

    def violations(self, states):
        return jnp.sum(self.violation(ones(states, self.ids), self._every()), axis=0)

    def _every(self):
        return jnp.arange(self.ids.shape[0])

    def neutral_messages(self, batch):
        """Zeros: the mean of a hard constraint says nothing."""
        return jnp.zeros((*self.ids.shape, *batch), jnp.result_type(float))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, self.ids, messages)

    def incoming(self, beliefs: Planes, messages: Array) -> Array:
        """Log-odds of each member without this factor's message."""
        return without(log_odds(beliefs, self.ids), messages)

    def update(self, beliefs, messages):
        return self.respond(self.incoming(beliefs, messages))

    def soft_update(self, beliefs, messages, temperature):
        return temperature * self.soft_respond(self.incoming(beliefs, messages) / temperature, temperature)

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states: Planes, at, where) -> Rows:
        return self._change(self.potential, states, where)

    def violation_change(self, states: Planes, at, where) -> Rows:
        return self._change(self.violation, states, where)

    def _change(self, measure, states, where):
        """How much `measure` rises where a variable goes from 0 to 1, summed over its factors: (planes, width, ...)."""
        which, slot, known = self.incidence.places(where)  # (width, degree) each
        x = ones(states, self.ids[which])
        flat, which = x.reshape(-1, *x.shape[2:]), which.reshape(-1)
        here = like(slot.reshape(-1, 1) == jnp.arange(self.ids.shape[1], dtype=slot.dtype), flat)
        rise = measure(jnp.where(here, 1.0, flat), which) - measure(jnp.where(here, 0.0, flat), which)
        rise = rise.reshape(*known.shape, *rise.shape[1:])
        rise = jnp.sum(jnp.where(like(known, rise), rise, 0.0), axis=1)
        if states.shape[0] == 1:
            return rise[None]
        zero = jnp.zeros((states.shape[0], *rise.shape), rise.dtype)
        return zero.at[1].set(rise)


def wired(ids: np.ndarray) -> tuple[Int[Array, "F m"], Incidence]:
    """The two wiring fields of a group."""
    return on_device(ids), Incidence(np.ascontiguousarray(ids.T))


def member_ids(name: str, value: ArrayLike) -> np.ndarray:
    """Checked ids as (F, m): one factor a row, a flat list is one factor."""
    array = validate.rectangular(name, value)
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"{name}: expected ids (F, m), one factor a row, got shape {np.shape(value)}")
    array = validate.ids(name, array, columns=array.shape[1])
    ordered = np.sort(array, axis=1)
    again = (ordered[:, 1:] == ordered[:, :-1]).any(1)
    if again.any():
        factor = int(np.argmax(again))
        raise ValueError(
            f"{name}: expected distinct variables in each factor, got {array[factor].tolist()} in factor {factor}"
        )
    return array


def joined_ids(many_name: str, many: ArrayLike, one_name: str, one: ArrayLike) -> np.ndarray:
    """Checked ids (F, m + 1) of factors with m members of one kind and a last one of another."""
    first = member_ids(many_name, many)
    last = validate.ids(one_name, one)
    if last.size != first.shape[0]:
        raise ValueError(f"{one_name}: expected one id for each of {first.shape[0]} factors, got {last.size}")
    return member_ids(f"{many_name} and {one_name}", np.concatenate([first, last[:, None]], axis=1))


def last_by_the_others(ids) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """The `determined` variables of factors whose last member is a function of the other members."""
    return ((np.asarray(ids)[:, -1], np.asarray(ids)[:, :-1]),)
