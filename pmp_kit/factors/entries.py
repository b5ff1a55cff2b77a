"""What all factors with a table of scores have in common, whatever the layout of their entries."""

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..engine.planes import Planes, Rows
from ..engine.signatures import Number, PyTree
from .base import AbstractFactor
from .incidence import Incidence


class AbstractEntries(AbstractFactor):
    """Factors whose score is an entry of their table. A score of -inf forbids a joint state.

    A type says where the entries are: `tables`, `_forbidden`, `_looked_up` and `_rows` share one layout.
    """

    incidence: eqx.AbstractVar[Incidence]
    allowed: eqx.AbstractVar[Bool[Array, "..."] | None]
    """Which entries are allowed; None if all are."""

    @property
    def hard(self) -> bool:
        return self.allowed is not None

    @abstractmethod
    def tables(self) -> Float[Array, "..."]:
        """Return the finite scores, 0 for forbidden entries."""

    @abstractmethod
    def as_tables(self) -> list[tuple[Int[Array, "F m"], Float[Array, "F *states"]]]:
        """Return ids and scores of all tables, as `AbstractFactor.as_tables`."""

    @abstractmethod
    def _forbidden(self, dtype) -> Float[Array, "..."]:
        """Return 1 for forbidden entries and 0 for allowed ones. It is called only if some are forbidden."""

    @abstractmethod
    def _looked_up(self, values, states: Planes) -> Float[Array, "*batch"]:
        """Return the sum over the factors of the values, one for each entry, at the factors' states."""

    @abstractmethod
    def _rows(self, values, states: Planes, where) -> Rows:
        """Return the values for each state of the located variables, the others as in `states`."""

    @abstractmethod
    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"]:
        """Return the tables' part of the Bethe free energy (Eq. 4), as `bethe.table_bethe`."""

    def score(self, states):
        score = self.finite_score(states)
        return jnp.where(self.violations(states) > 0, -jnp.inf, score) if self.hard else score

    def finite_score(self, states):
        return self._looked_up(self.tables().astype(states.dtype), states)

    def violations(self, states):
        if self.allowed is None:
            return jnp.zeros(states.shape[2:], states.dtype)
        return self._looked_up(self._forbidden(states.dtype), states)

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states, at, where):
        broken = None if self.allowed is None else self._rows(self._forbidden(states.dtype), states, where)
        return self._rows(self.tables().astype(states.dtype), states, where), broken
