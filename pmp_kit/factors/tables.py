"""Tables: tables of scores of any shapes in one group, which are compiled as one factor type (Section 2.4)."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.nn import logsumexp
from jaxtyping import Array, Bool, Float, Int

from ..engine import checks
from ..engine.arrays import contains_traced, on_device
from ..engine.planes import Planes, add_scores, indicators, like, scores, to_states
from ..engine.reductions import index_of_largest, larger
from ..engine.signatures import ArrayLike, Number, PyTree
from .base import check_range
from .bethe import entropy
from .entries import AbstractEntries
from .forbidden import finite_part
from .hard import best_zero, without
from .incidence import Incidence
from .table_plan import Plan, ends_of, plan_of

MOST_ENTRIES = 2**29
"""The most entries of all tables together, which 32-bit indices can count with their padding."""


class Tables(AbstractEntries):
    """F factors with a table each, of any numbers of variables and states: score sum_f theta_f(x_f) (Section 2.4).

    It is the group for models that are read from files, where almost every table has another shape: JAX compiles one
    program for all of them, while `NWise` has one for each shape. A score of -inf forbids a joint state. Which entries
    are forbidden is part of the structure, so learning does not change it.

    Messages are arrays (C, E, *batch), one for all variables with similar numbers of states, padded to the largest. The
    messages of a table are computed together, in two passes over its entries (see `table_plan.py`). Memory: about 55
    bytes for each entry, most of them index arrays, and the messages. Cost of a sweep: O(entries) for each batch
    element, whatever the numbers of variables.
    """

    table: Float[Array, " N"]
    """The entries of all tables, one table after the other, the state of the last variable first to change; 0 for
    forbidden entries."""
    allowed: Bool[Array, " N"] | None
    of: Int[Array, " N"]
    """The factor of each entry."""
    best: Int[Array, " F"]
    """The best entry of each factor when it was made. Its score is subtracted, which would else absorb small ones."""
    first: Int[Array, " F"]
    members: Int[Array, "F places"]
    """The ids of each factor, padded with 0."""
    sizes: Int[Array, "F places"]
    """The numbers of states, padded with 0."""
    strides: Int[Array, "F places"]
    """How far apart the entries of two neighbouring states are, padded with 0."""
    starts: Int[Array, "F places"]
    """The places of the messages to the first states, if all messages are one after the other, padded with 0."""
    steps: Int[Array, "F places"]
    """How far apart the messages to two neighbouring states are, padded with 0."""
    ids: tuple[Int[Array, " _"], ...]
    """The variable of each message."""
    ends: Int[Array, "ends 2"]
    """The factor and the place of each end, in the order of the factors."""
    incidence: Incidence
    plan: Plan

    def __init__(self, scopes: Sequence[ArrayLike], tables: Sequence[ArrayLike]):
        """Args:
        scopes: the variables of each factor, a list of F lists of one or more different ids.
        tables: the scores of each factor in nats, -inf for forbidden entries: a list of F arrays (C_1, ..., C_n), with
            one axis for each variable of the factor.

        Raises: TypeError or ValueError that names the argument.
        """
        members = _scopes(scopes)
        shapes = _shapes(members, tables)
        self.table, allowed = _flat(tables, shapes)
        self.allowed = None if allowed is None else on_device(allowed)
        lengths = np.array([int(np.prod(shape)) for shape in shapes], int)
        of = np.repeat(np.arange(len(shapes)), lengths)
        self.of, self.first = _int32(of), _int32(np.cumsum(lengths) - lengths)
        self.best = _best_entries(self.table, self.allowed, of, len(shapes))
        ends = ends_of(shapes)
        ids = np.concatenate(members)
        grid = np.zeros((5, len(shapes), max(map(len, shapes))), int)
        grid[:, ends.factor, ends.place] = ids, ends.size, _strides(shapes), ends.start, ends.step
        self.members, self.sizes, self.strides, self.starts, self.steps = map(_int32, grid)
        self.ids = tuple(_int32(ids[ends.group == group]) for group in range(len(ends.groups)))
        self.ends = _int32(np.stack([ends.factor, ends.place], 1))
        self.incidence = Incidence(ids[None])
        self.plan = plan_of(shapes, ends)

    @property
    def scopes(self):
        members, arity = np.asarray(self.members), (np.asarray(self.sizes) > 0).sum(1)
        return tuple(members[arity == number, :number] for number in np.unique(arity))

    @property
    def num_states(self) -> int:
        """The largest number of states of a variable."""
        return max(places.shape[0] for places in self.plan.arriving)

    def with_forbidden(self) -> Float[Array, " N"]:
        """Return the entries of all tables, one table after the other, -inf for forbidden ones."""
        return self.table if self.allowed is None else jnp.where(self.allowed, self.table, -jnp.inf)

    def as_tables(self):
        """Return each table by itself, in NumPy: reshaping thousands of JAX arrays would take seconds."""
        members, sizes = np.asarray(self.members), np.asarray(self.sizes)
        parts = np.split(np.asarray(self.with_forbidden()), np.asarray(self.first)[1:])
        rows = zip(members, sizes, parts, strict=True)
        return [(ids[None, size > 0], part.reshape(1, *size[size > 0])) for ids, size, part in rows]

    def check(self, variables):
        members, sizes = np.asarray(self.members), np.asarray(self.sizes)
        check_range("scopes", members[sizes > 0], variables)
        wrong = np.argwhere((sizes > 0) & (variables.cardinalities[members] != sizes))
        if wrong.size:
            factor, place = wrong[0]
            expected = variables.cardinalities[members[factor, place]]
            raise ValueError(
                f"tables: expected {expected} states at place {place} of factor {factor}, got {sizes[factor, place]}; "
                "one axis for each variable, in the order of its scope"
            )

    def bounds(self):
        def of_each(reduce, empty):
            values = self.table if self.allowed is None else jnp.where(self.allowed, self.table, empty)
            return reduce(values, self.of, len(self.first), indices_are_sorted=True)

        spread = of_each(jax.ops.segment_max, -jnp.inf) - of_each(jax.ops.segment_min, jnp.inf)
        return spread.sum(), jnp.abs(self.tables()).sum()

    def tables(self):
        return self.table if self.allowed is None else jnp.where(self.allowed, self.table, 0.0)

    def _forbidden(self, dtype):
        assert self.allowed is not None
        return (~self.allowed).astype(dtype)

    def _looked_up(self, values, states):
        """Return the sum over the factors of the values (N,) at the factors' states."""
        digits = to_states(states)[self.members]
        entry = like(self.first, digits[:, 0]) + jnp.sum(digits * like(self.strides, digits), axis=1, dtype=jnp.int32)
        return jnp.sum(values[entry], axis=0)

    def neutral_messages(self, batch):
        """Return the mean over the other variables' states; 0 for factors with forbidden entries."""
        size = sum(places.size for places in self.plan.arriving)
        places = jnp.stack(self._messages_of_entries(size))
        values = self._centred(self.table.dtype)[:-1]
        sums = jnp.zeros((size + 1, 2), self.table.dtype).at[places].add(jnp.stack([values, jnp.ones_like(values)], 1))
        means, start, messages = sums[:, 0] / jnp.maximum(sums[:, 1], 1.0), 0, []
        for places in self.plan.arriving:
            message = means[start : start + places.size].reshape(places.shape)
            exists = places < self._number_arriving()
            whole = (message > -jnp.inf).all(0)
            message = best_zero(jnp.where(exists, message, -jnp.inf))
            messages.append(jnp.where(exists & whole, message, 0.0))
            start += places.size
        return tuple(jnp.broadcast_to(m.reshape(m.shape + (1,) * len(batch)), m.shape + batch) for m in messages)

    def _messages_of_entries(self, nothing: int) -> list[Int[Array, " N"]]:
        """Return the place of each entry's message to its first, its second, ... variable, all messages one after the
        other; `nothing` in factors of fewer variables.
        """
        local = jnp.arange(len(self.of), dtype=jnp.int32) - self.first[self.of]
        places = []
        for size, stride, start, step in zip(self.sizes.T, self.strides.T, self.starts.T, self.steps.T, strict=True):
            state = local // jnp.maximum(stride, 1)[self.of] % jnp.maximum(size, 1)[self.of]
            places.append(jnp.where(size[self.of] > 0, start[self.of] + step[self.of] * state, nothing))
        return places

    def to_variables(self, messages, beliefs):
        for ids, message in zip(self.ids, messages, strict=True):
            beliefs = add_scores(beliefs, ids, message)
        return beliefs

    def update(self, beliefs, messages):
        pool = self._pool(self._cavities(beliefs, messages))
        return self._arriving(pool, lambda values: halved(larger, values))

    def soft_update(self, beliefs, messages, temperature):
        def reduce(values):
            return temperature * logsumexp(values / temperature, axis=0)

        return self._arriving(self._pool(self._cavities(beliefs, messages)), reduce)

    def _cavities(self, beliefs: Planes, messages: PyTree) -> Float[Array, "M *batch"]:
        """Return the cavity scores of all messages; the best state of each variable has score 0."""
        groups = zip(self.ids, messages, strict=True)
        parts = [best_zero(without(scores(beliefs, ids, len(message)), message)) for ids, message in groups]
        return jnp.concatenate([part.reshape(-1, *part.shape[2:]) for part in parts])

    def _pool(self, cavities):
        """Return the cavity scores and the sums of `Plan.sums`, one after the other."""
        for left, right in self.plan.sums:
            cavities = jnp.concatenate([cavities, at(cavities, left) + at(cavities, right)])
        return cavities

    def _centred(self, dtype):
        """Return the scores minus the best one of each factor, and -inf at the end."""
        values = self.with_forbidden() - self.table[self.best][self.of]
        return jnp.append(values, -jnp.inf).astype(dtype)

    def _arriving(self, pool: Array, reduce: Callable[[Array], Array]) -> PyTree:
        """Return the messages: the tables plus the others' sums, reduced over the others' states."""
        batch, down = pool.shape[1:], self._centred(pool.dtype)
        down = down.reshape(-1, *(1,) * len(batch))
        parts = [jnp.broadcast_to(at(down, self.plan.alone), (len(self.plan.alone), *batch))]
        nothing = jnp.full((1, *batch), -jnp.inf, pool.dtype)
        for level in self.plan.levels:
            reduced = [reduce(at(down, rows.entries) + at(pool, rows.others)) for rows in level]
            parts += reduced
            down = jnp.concatenate([*reduced, nothing])
        every = jnp.concatenate([*parts, nothing])
        return tuple(self._message(every, places) for places in self.plan.arriving)

    def _message(self, every, places):
        """Return one array of messages, 0 for states that the variables do not have."""
        message = best_zero(at(every, places))
        return jnp.where(like(places < len(every) - 1, message), message, 0.0)

    def _number_arriving(self) -> int:
        """Return the number of entries of `alone` and of all depths."""
        return len(self.plan.alone) + sum(rows.entries.shape[1] for level in self.plan.levels for rows in level)

    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"]:
        """Return the tables' part of Eq. (4), the sum over all factors of `table_bethe`."""
        cavities = self._cavities(beliefs, messages)
        places = self._messages_of_entries(len(cavities))
        cavities = jnp.concatenate([cavities, jnp.zeros_like(cavities[:1])])
        table, number = like(self.with_forbidden().astype(cavities.dtype), cavities), len(self.first)
        joint = sum((at(cavities, place) for place in places), start=table) / temperature
        weight = jnp.exp(joint - jax.ops.segment_max(joint, self.of, number, indices_are_sorted=True)[self.of])
        q = weight / jax.ops.segment_sum(weight, self.of, number, indices_are_sorted=True)[self.of]
        mean = jnp.sum(jnp.where(q > 0, table * q, 0.0), axis=0)
        of_variables = sum(
            entropy(jax.nn.softmax(scores(beliefs, ids, len(message)) / temperature, axis=0), 2)
            for ids, message in zip(self.ids, messages, strict=True)
        )
        return mean + temperature * (entropy(q, 1) - of_variables)

    def pair_tables(self):
        if self.members.shape[1] != 2 or len(self.ends) != 2 * len(self.members):
            return super().pair_tables()
        states = jnp.arange(self.num_states, dtype=jnp.int32)
        first, second = states[:, None], states[None]
        size, stride = self.sizes[..., None, None], self.strides[..., None, None]
        exists = (first < size[:, 0]) & (second < size[:, 1])
        entry = self.first[:, None, None] + first * stride[:, 0] + second * stride[:, 1]
        return self.members, jnp.where(exists, self.with_forbidden()[jnp.where(exists, entry, 0)], 0.0)

    def _rows(self, values, states, where):
        """Return the values (N,) for each state of the located variables, the others as in `states`."""
        end, _, known = self.incidence.places(where)  # (width, degree)
        factor, place = self.ends[end, 0], self.ends[end, 1]
        digits = index_of_largest(indicators(states, self.members[factor], self.num_states))
        is_other = jnp.arange(self.strides.shape[1], dtype=place.dtype) != place[..., None]
        others = jnp.where(is_other, self.strides[factor], 0)
        entry = like(self.first[factor], digits[:, :, 0]) + jnp.sum(
            digits * like(others, digits), axis=2, dtype=jnp.int32
        )
        stride, size = (like(array[factor, place], entry) for array in (self.strides, self.sizes))
        state = jnp.arange(self.num_states, dtype=jnp.int32).reshape(-1, *(1,) * entry.ndim)
        exists = like(known, entry) & (state < size)
        field = jnp.where(exists, values[jnp.where(exists, entry + state * stride, 0)], 0.0).sum(2)
        zero = jnp.zeros((states.shape[0], where.shape[0], *states.shape[2:]), states.dtype)
        return add_scores(zero, jnp.arange(where.shape[0]), field)


def at(values: Array, places: Array) -> Array:
    """Return values at places, which are known to exist."""
    return values.at[places].get(mode="promise_in_bounds")


def halved(combine: Callable[[Array, Array], Array], values: Array) -> Array:
    """Combine the entries along axis 0, whose length is a power of two, half with half."""
    while len(values) > 1:
        half = len(values) // 2
        values = combine(values[:half], values[half:])
    return values[0]


def _int32(array: np.ndarray) -> Array:
    return on_device(array.astype(np.int32))


def _scopes(scopes: Sequence[ArrayLike]) -> list[np.ndarray]:
    """Return the checked ids of each factor."""
    if not isinstance(scopes, (list, tuple, np.ndarray)):
        raise TypeError(f"scopes: expected a list of lists of ids, one for each factor, got {checks.describe(scopes)}")
    if len(scopes) == 0:
        raise ValueError("scopes: expected at least one factor, got none; leave the group out")
    members = []
    for number, scope in enumerate(scopes):
        ids = checks.rectangular(f"scopes[{number}]", scope)
        if ids.ndim != 1 or ids.size == 0:
            hint = "; write [id]" if ids.ndim == 0 else "; add a constant to some unary" if ids.size == 0 else ""
            got = checks.describe(scope)
            raise ValueError(f"scopes[{number}]: expected one or more ids of variables, got {got}{hint}")
        ids = checks.ids(f"scopes[{number}]", ids)
        checks.distinct(f"scopes[{number}]", ids[None])
        members.append(ids)
    return members


def _shapes(members: list[np.ndarray], tables: Sequence[ArrayLike]) -> list[tuple[int, ...]]:
    """Return the shape of each table, after a comparison with the scopes."""
    if not isinstance(tables, (list, tuple)):
        raise TypeError(f"tables: expected a list of arrays, one for each factor, got {checks.describe(tables)}")
    if len(tables) != len(members):
        raise ValueError(f"tables: expected one for each of {len(members)} scopes, got {len(tables)}")
    shapes = [np.shape(_numbers(number, table)) for number, table in enumerate(tables)]
    for number, (ids, shape) in enumerate(zip(members, shapes, strict=True)):
        if len(shape) != len(ids) or min(shape) < 2:
            states = ", ".join(f"C_{place + 1}" for place in range(len(ids)))
            hint = "; use .reshape" if int(np.prod(shape)) > 1 and len(shape) != len(ids) else ""
            raise ValueError(f"tables[{number}]: expected shape ({states}) with all C >= 2, got {shape}{hint}")
    if sum(float(np.prod(shape, dtype=float)) for shape in shapes) > MOST_ENTRIES:
        raise ValueError(f"tables: expected at most {MOST_ENTRIES} entries together, got more; use several groups")
    return shapes


def _numbers(number: int, table: ArrayLike) -> Any:
    """Return one table as a NumPy array, or as it is if it is traced."""
    return table if contains_traced(table) else checks.rectangular(f"tables[{number}]", table)


def _flat(tables: Sequence[ArrayLike], shapes: list[tuple[int, ...]]):
    """Return the finite entries of all tables one after the other, and which are allowed, as `finite_part`."""
    if contains_traced(list(tables)):
        return finite_part("tables", jnp.concatenate([jnp.ravel(jnp.asarray(table)) for table in tables]))
    parts = [_numbers(number, table) for number, table in enumerate(tables)]
    for number, part in enumerate(parts):
        if part.dtype.kind in "fiu" and not (part > -np.inf).any() and not np.isnan(part).any():
            raise ValueError(
                f"tables[{number}]: expected at least one finite score in each factor, got -inf everywhere"
            )
    lengths = [part.size for part in parts]
    return finite_part("tables", np.concatenate([part.reshape(-1) for part in parts]), lengths=lengths)


def _strides(shapes: list[tuple[int, ...]]) -> np.ndarray:
    """Return the stride of each end."""
    return np.array([int(np.prod(shape[place + 1 :])) for shape in shapes for place in range(len(shape))], int)


def _best_entries(table: Array, allowed, of: np.ndarray, number: int) -> Array:
    """Return the best entry of each factor."""
    if not contains_traced([table, allowed]):
        values = np.asarray(table) if allowed is None else np.where(np.asarray(allowed), np.asarray(table), -np.inf)
        order = np.lexsort((-values, of))
        return _int32(order[np.searchsorted(of, np.arange(number))])
    values = table if allowed is None else jnp.where(allowed, table, -jnp.inf)
    values = jax.lax.stop_gradient(values)
    top = jax.ops.segment_max(values, of, number, indices_are_sorted=True)
    place = jnp.where(values == top[of], jnp.arange(len(of), dtype=jnp.int32), len(of) - 1)
    return jax.ops.segment_min(place, jnp.asarray(of), number, indices_are_sorted=True).astype(jnp.int32)
