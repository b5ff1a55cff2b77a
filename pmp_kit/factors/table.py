"""N-wise table: any score of n variables with any numbers of states, by enumeration (Section 2.4)."""

import jax.numpy as jnp
import numpy as np
from jax.nn import logsumexp
from jaxtyping import Array, Bool, Float, Int

from ..planes import Planes, Rows, add_scores, indicators, like, scores
from .base import AbstractFactor, check_range
from .group import member_ids, wired
from .hard import LIMIT, finite_part
from .incidence import Incidence


class NWise(AbstractFactor):
    """F factors of n variables each: score sum_f theta_f(x_1, ..., x_n), theta a table; -inf forbids (Section 3).

    Messages: one array (C_s, F, *batch) for each place s, [c, f] = score that factor f sends to state c, the best
    state's 0, at least -LIMIT. Memory n C F, cost of a sweep O(n C^n F), for each copy. A forbidden entry is wiring,
    no parameter.
    """

    table: Float[Array, "F *states"]
    allowed: Bool[Array, "F *states"]
    ids: Int[Array, "F n"]
    incidence: Incidence

    def __init__(self, ids, table):
        """Args:
        ids: (F, n), one factor a row; (n,) is one factor.
        table: scores in nats, (C_1, ..., C_n) for all factors or (F, C_1, ..., C_n).

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        value, allowed = finite_part("table", table)
        number, n = members.shape
        if value.ndim not in (n, n + 1) or (value.ndim == n + 1 and value.shape[0] != number):
            raise ValueError(f"table: expected {n} axes of states, or {number} and those, got shape {value.shape}")
        shape = (number, *value.shape[-n:])
        self.table = jnp.broadcast_to(value, shape)
        self.allowed = jnp.asarray(np.broadcast_to(allowed, shape))
        if not np.asarray(self.allowed).reshape(number, -1).any(1).all():
            raise ValueError("table: expected at least one finite score in each factor, got -inf everywhere")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states at each place."""
        return self.table.shape[1:]

    def check(self, variables):
        ids = np.asarray(self.ids)
        check_range("ids", ids, variables)
        wrong = variables.cardinalities[ids] != np.array(self.sizes)
        if wrong.any():
            factor, place = np.argwhere(wrong)[0]
            raise ValueError(
                f"table: expected {variables.cardinalities[ids[factor, place]]} states at place {place} of factor "
                f"{factor}, got {self.sizes[place]}; put factors of other sizes into an NWise of their own"
            )

    def score(self, states):
        index = sum(self._digit(states, self.ids[:, s], s) * stride for s, stride in enumerate(self._strides()))
        value, allowed = self._at(like(jnp.arange(self.ids.shape[0]), index), index)
        return jnp.sum(jnp.where(allowed, value, -jnp.inf), axis=0)

    def neutral_messages(self, batch):
        """The mean over the others' states; 0 where some entry is forbidden."""
        places = range(1, self.table.ndim)
        finite = self.allowed.all(tuple(places))
        means = (self.table.mean(tuple(a for a in places if a != s)).T for s in places)
        means = (jnp.where(finite, mean - mean.max(0), 0.0) for mean in means)
        return tuple(jnp.broadcast_to(m.reshape(m.shape + (1,) * len(batch)), m.shape + batch) for m in means)

    def to_variables(self, messages, beliefs):
        for place, message in enumerate(messages):
            beliefs = add_scores(beliefs, self.ids[:, place], message)
        return beliefs

    def update(self, beliefs, messages):
        return self._reduced(beliefs, messages, jnp.max)

    def soft_update(self, beliefs, messages, temperature):
        return self._reduced(beliefs, messages, lambda joint, axis: temperature * logsumexp(joint / temperature, axis))

    def _reduced(self, beliefs, messages, reduce):
        """Messages: table plus what the others say, reduced over the others' states."""
        n, incoming = len(messages), self._incoming(beliefs, messages)
        table = jnp.moveaxis(jnp.where(self.allowed, self.table, -jnp.inf), 0, -1)  # (C_1, ..., C_n, F)
        result = []
        for place in range(n):
            others = [s for s in range(n) if s != place]
            joint = like(table, beliefs[(None,) * (n - 1)])
            for s in others:
                joint = joint + jnp.expand_dims(incoming[s], [a for a in range(n) if a != s])
            message = reduce(joint, axis=tuple(others))
            result.append(jnp.maximum(message - message.max(0), -LIMIT))
        return tuple(result)

    def _incoming(self, beliefs, messages):
        """Scores of each place without this factor, the best state's 0, at least -LIMIT."""
        result = []
        for place, message in enumerate(messages):
            without = scores(beliefs, self.ids[:, place], self.sizes[place]) - message
            result.append(jnp.maximum(without - without.max(0), -LIMIT))
        return result

    def locate(self, at):
        return self.incidence.locate(at)

    def conditional(self, states: Planes, at, where) -> Rows:
        which, own_place, known = self.incidence.places(where)  # (width, degree) each
        result = jnp.zeros((states.shape[0], where.shape[0], *states.shape[2:]), states.dtype)
        strides = self._strides()
        for place, size in enumerate(self.sizes):
            mine = known & (own_place == place)
            others = [s for s in range(len(self.sizes)) if s != place]
            zero = jnp.zeros((*where.shape, *states.shape[2:]), jnp.int32)
            index = sum((self._digit(states, self.ids[which, s], s) * strides[s] for s in others), start=zero)
            own = like(jnp.arange(size, dtype=jnp.int32) * strides[place], index[None])  # (C, 1, 1, ...)
            value, allowed = self._at(like(which, index), index + own)
            field = jnp.where(like(mine, index), jnp.where(allowed, value, -LIMIT), 0.0)
            result = add_scores(result, jnp.arange(where.shape[0]), field.sum(2))
        return result

    def _digit(self, states, ids, place):
        """State numbers of variables that stand at `place`."""
        x = indicators(states, ids, self.sizes[place])
        return jnp.argmax(x, axis=0).astype(jnp.int32)

    def _strides(self) -> list[int]:
        """Steps of the flat index of a table for one state more at each place."""
        return [int(np.prod(self.sizes[place + 1 :])) for place in range(len(self.sizes))]

    def _at(self, which, index):
        """Scores of entries of the tables `which`, and whether they are allowed."""
        flat = self.table.reshape(self.table.shape[0], -1), self.allowed.reshape(self.table.shape[0], -1)
        return tuple(values[which, index] for values in flat)

    def couples(self, members):
        return bool((members[np.asarray(self.ids)].sum(1) > 1).any())
