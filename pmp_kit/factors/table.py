"""N-wise tables: an arbitrary score of n variables with any numbers of states, by enumeration (Section 2.4)."""

from abc import abstractmethod
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.nn import logsumexp
from jaxtyping import Array, Bool, Float, Int

from ..engine.arrays import on_device
from ..engine.planes import Planes, add_scores, indicators, like, scores
from ..engine.reductions import index_of_largest, largest
from ..engine.signatures import ArrayLike, Number, PyTree
from .base import check_range
from .bethe import table_bethe
from .entries import AbstractEntries
from .forbidden import check_possible, finite_part
from .group import member_ids, wired
from .hard import below_best, best_zero, without
from .incidence import Incidence


class AbstractTable(AbstractEntries):
    """F factors of n variables each, with a table of scores for the joint states of their variables.

    The messages are one array (C_s, F, *batch) for each place s: entry [c, f] is the score that factor f sends to
    state c, and the best state has score 0. Memory n C F and cost of a sweep O(n C^n F), for each batch element.
    """

    argument: ClassVar[str] = "table"
    """The constructor argument that determines the numbers of states, for error texts."""
    ids_argument: ClassVar[str] = "ids"
    """The constructor argument with the variables, for error texts."""

    ids: eqx.AbstractVar[Int[Array, "F n"]]
    incidence: eqx.AbstractVar[Incidence]
    allowed: eqx.AbstractVar[Bool[Array, "*F_and_states"] | None]
    """Which entries are allowed; None if all are."""

    @abstractmethod
    def own_table(self) -> Float[Array, "*F_and_states"]:
        """Return finite scores, 0 for forbidden entries: (C_1, ..., C_n) if shared, else (F, C_1, ..., C_n)."""

    @property
    def scopes(self):
        return (np.asarray(self.ids),)

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """The number of states at each place."""

    def tables(self) -> Float[Array, "F *states"]:
        """Return the finite scores of each factor, 0 for forbidden entries."""
        return self._of_each(self.own_table())

    def with_forbidden(self) -> Float[Array, "*F_and_states"]:
        """Return the scores, -inf for forbidden entries: (C_1, ..., C_n) if all factors share them, else (F, ...)."""
        table = self.own_table()
        return table if self.allowed is None else jnp.where(self.allowed, table, -jnp.inf)

    def _with_forbidden_of_each(self) -> Float[Array, "F *states"]:
        return self._of_each(self.with_forbidden())

    def _forbidden(self, dtype):
        """Return 1 for forbidden entries and 0 for allowed ones, (F, *states)."""
        assert self.allowed is not None
        return self._of_each(~self.allowed).astype(dtype)

    def _of_each(self, table):
        return jnp.broadcast_to(table, (self.ids.shape[0], *table.shape[-self.ids.shape[1] :]))

    def bounds(self):
        flat = self._flat(self.tables())
        return jnp.sum(flat.max(1) - flat.min(1)), jnp.abs(flat).sum()

    def check(self, variables):
        ids = np.asarray(self.ids)
        check_range(self.ids_argument, ids, variables)
        wrong = variables.cardinalities[ids] != np.array(self.sizes)
        if wrong.any():
            factor, place = np.argwhere(wrong)[0]
            expected, got = variables.cardinalities[ids[factor, place]], self.sizes[place]
            raise ValueError(
                f"{self.argument}: expected {expected} states at place {place} of factor {factor}, got {got}; "
                "use Tables, or a separate group for factors of each size"
            )

    def _looked_up(self, tables, states):
        """Return the sum over the factors of the entries of tables (F, *states) at the factors' states."""
        index = sum(self._digit(states, self.ids[:, s], s) * stride for s, stride in enumerate(self._strides()))
        which = like(jnp.arange(self.ids.shape[0]), index)
        return jnp.sum(self._flat(tables)[which, index], axis=0)

    def neutral_messages(self, batch):
        """Return the mean over the other variables' states; 0 for factors with forbidden entries."""
        tables = self.tables()
        places = range(1, tables.ndim)
        means = [best_zero(tables.mean(tuple(a for a in places if a != s)).T) for s in places]
        if self.allowed is not None:
            finite = self._of_each(self.allowed).all(tuple(places))
            means = [jnp.where(finite, mean, 0.0) for mean in means]
        return tuple(jnp.broadcast_to(m.reshape(m.shape + (1,) * len(batch)), m.shape + batch) for m in means)

    def to_variables(self, messages, beliefs):
        for place, message in enumerate(messages):
            beliefs = add_scores(beliefs, self.ids[:, place], message)
        return beliefs

    def update(self, beliefs, messages):
        incoming = self.incoming(beliefs, messages)
        return tuple(self._message(incoming, place, largest) for place in range(len(messages)))

    def soft_update(self, beliefs, messages, temperature):
        def reduce(joint, axis):
            return temperature * logsumexp(joint / temperature, axis)

        incoming = self.incoming(beliefs, messages)
        return tuple(self._message(incoming, place, reduce) for place in range(len(messages)))

    def _message(self, incoming, place, reduce):
        """Return the message to one place: table plus the others' cavity scores, reduced over the others' states."""
        n = len(incoming)
        table = below_best(self._with_forbidden_of_each()).astype(incoming[0].dtype)
        table = jnp.moveaxis(table, 0, -1)  # (C_1, ..., C_n, F)
        joint = table.reshape(table.shape + (1,) * (incoming[0].ndim - 2))
        others = [s for s in range(n) if s != place]
        for s in others:
            joint = joint + jnp.expand_dims(incoming[s], [a for a in range(n) if a != s])
        message = best_zero(reduce(joint, tuple(others)))
        return jnp.broadcast_to(message, incoming[place].shape)  # without other variables it lacks the batch axes

    def incoming(self, beliefs: Planes, messages: tuple[Array, ...]) -> list[Array]:
        """Return the cavity scores of each place; the best state has score 0."""
        sizes = self.sizes
        ends = (scores(beliefs, self.ids[:, s], sizes[s]) for s in range(len(messages)))
        return [best_zero(without(end, message)) for end, message in zip(ends, messages, strict=True)]

    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"]:
        """Return the tables' part of Eq. (4), the sum over all factors of `table_bethe`."""
        incoming = self.incoming(beliefs, messages)
        ends = [scores(beliefs, self.ids[:, s], size) for s, size in enumerate(self.sizes)]
        return table_bethe(self._with_forbidden_of_each().astype(incoming[0].dtype), ends, incoming, temperature).sum(0)

    def pair_tables(self):
        if self.ids.shape[1] != 2:
            return super().pair_tables()
        return self.ids, self._with_forbidden_of_each()

    def as_tables(self):
        return [(self.ids, self._with_forbidden_of_each())]

    def _rows(self, tables, states, where):
        """Return entries of tables (F, *states) for each state of the located variables, others as in `states`."""
        which, own_place, known = self.incidence.places(where)  # (width, degree) each
        result = jnp.zeros((states.shape[0], where.shape[0], *states.shape[2:]), states.dtype)
        strides, flat = self._strides(), self._flat(tables)
        for place, size in enumerate(tables.shape[1:]):
            mine = known & (own_place == place)
            others = [s for s in range(tables.ndim - 1) if s != place]
            zero = jnp.zeros((*where.shape, *states.shape[2:]), jnp.int32)
            index = sum((self._digit(states, self.ids[which, s], s) * strides[s] for s in others), start=zero)
            offset = like(jnp.arange(size, dtype=jnp.int32) * strides[place], index[None])  # (C, 1, 1, ...)
            field = jnp.where(like(mine, index), flat[like(which, index), index + offset], 0.0)
            result = add_scores(result, jnp.arange(where.shape[0]), field.sum(2))
        return result

    def _digit(self, states, ids, place):
        """Return the state numbers of the variables `ids`, which are at `place` of their factors."""
        x = indicators(states, ids, self.sizes[place])
        return index_of_largest(x)

    def _flat(self, tables):
        """Return tables (F, *states) as (F, joint states), also for no factor."""
        return tables.reshape(tables.shape[0], int(np.prod(self.sizes)))

    def _strides(self) -> list[int]:
        """Return the strides of the flat index of a table, one for each place."""
        sizes = self.sizes
        return [int(np.prod(sizes[place + 1 :])) for place in range(len(sizes))]


class NWise(AbstractTable):
    """F factors of n variables each: score sum_f theta_f(x_1, ..., x_n), where theta_f is a table (Section 3).

    A score of -inf forbids a joint state. Which entries are forbidden is part of the structure, so learning does not
    change it. Memory n C F and cost of a sweep O(n C^n F), for each batch element.
    """

    table: Float[Array, "*F_and_states"]
    """theta_f, with 0 for forbidden entries; `with_forbidden` has -inf there."""
    allowed: Bool[Array, "*F_and_states"] | None
    ids: Int[Array, "F n"]
    incidence: Incidence

    def __init__(self, ids: ArrayLike, table: ArrayLike):
        """Args:
        ids: (F, n), one factor per row; (n,) is one factor.
        table: scores in nats, -inf for forbidden entries: (F, C_1, ..., C_n), or (C_1, ..., C_n) for one table that
            all factors share.

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        number, n = members.shape
        value, allowed = finite_part("table", table, axes=n)
        if value.ndim not in (n, n + 1) or (value.ndim == n + 1 and value.shape[0] != number):
            states = ", ".join("C" * n)
            raise ValueError(f"table: expected shape ({states}) or ({number}, {states}), got {value.shape}")
        check_possible("table", allowed, n)
        self.table, self.allowed = value, None if allowed is None else on_device(allowed)

    @property
    def sizes(self):
        return self.table.shape[-self.ids.shape[1] :]

    def own_table(self):
        return self.table if self.allowed is None else jnp.where(self.allowed, self.table, 0.0)
