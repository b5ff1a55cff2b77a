"""Dense pairwise factor: all pairs of a set of binary variables (the Ising model of Appendix C.1)."""

from functools import partial
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import remember, validate
from ..engine.arrays import on_device
from ..engine.planes import Planes, Rows, add_log_odds, contract, like, log_odds, of_log_odds, ones
from ..engine.signatures import ArrayLike, Number, PyTree
from ..engine.traced import is_traced
from ._parts import tiles
from ._parts.group import member_ids
from ._parts.pairwise import bounded, corner_tables, pair_bethe, pair_message, soft_pair_message, two_states
from .base import AbstractFactor, check_binary, positions


class DensePairwise(AbstractFactor):
    """All pairs of k binary variables: score 1/2 x'Wx = sum_{i<j} w_ij x_i x_j, x in {0,1} (Appendix C.1).

    The diagonal of W is 0: x x = x, so half of it would belong to the unaries. The gradient of the score keeps W
    symmetric, because w_ij and w_ji each get half of the moment difference. Several groups of the same size can be one
    factor with a leading axis of groups, which compiles as one. The messages are log-odds to the rows and to the
    columns, in tiles of the upper triangle (see `factors/_parts/tiles.py`); `matrix` returns them as (k, k). Memory and
    cost of a sweep: k^2 for each batch element.
    """

    crosses: ClassVar[bool] = True
    copies: ClassVar[int] = 2  # w_ij and w_ji

    weight: Float[Array, "*G k k"]
    at: Int[Array, "*G k"]

    def __init__(self, at: ArrayLike, weight: ArrayLike):
        """Args:
        at: distinct ids of the variables: (k,) or the shape of a block; (G, k) for G groups.
        weight: W in nats, symmetric with a diagonal of 0: (k, k), or (G, k, k) for G groups, which may share
            variables. A traced W is not checked: (W + W') / 2 without its diagonal takes its place.

        Raises: TypeError or ValueError that names the argument.
        """
        value = validate.parameter("weight", weight)
        ids = member_ids("at", at) if value.ndim == 3 else validate.ids("at", at)
        if ids.size == 0:
            raise ValueError("at: expected at least one variable, got none")
        validate.distinct("at", np.atleast_2d(ids))
        self.weight = validate.parameter("weight", value, (*ids.shape, ids.shape[-1]))
        if is_traced(self.weight):  # not checked, so a score and a conditional could differ
            self.weight = without_diagonal(0.5 * (self.weight + jnp.swapaxes(self.weight, -1, -2)))
        else:
            check_weight(self.weight)
        self.at = on_device(ids)

    def _each(self, function, *arguments):
        """Return function(group, ...) of the single group, or of all groups with the results on a leading axis."""
        return function(self, *arguments) if self.weight.ndim == 2 else jax.vmap(function)(self, *arguments)

    def _sum(self, function, *arguments):
        """Return the sum of `_each` over the groups."""
        result = self._each(function, *arguments)
        return result if self.weight.ndim == 2 else result.sum(0)

    @property
    def scopes(self):
        first, second = np.triu_indices(self.at.shape[-1], 1)
        at = np.asarray(self.at)
        return (np.stack([at[..., first], at[..., second]], axis=-1).reshape(-1, 2),)

    def couples(self, members):
        return bool((members[np.asarray(self.at)].sum(-1) > 1).any())

    def spread(self):
        return 0.5 * jnp.abs(self.off_diagonal()).sum()

    def magnitude(self):
        return self.spread()

    def check(self, variables):
        check_binary("at", np.asarray(self.at).reshape(-1), variables)

    def check_parameters(self):
        check_weight(self.weight)

    def off_diagonal(self) -> Float[Array, "*G k k"]:
        return without_diagonal(self.weight)

    def score(self, states):
        return self._sum(lambda group: quadratic(group.weight, ones(states, group.at)))

    def neutral_messages(self, batch):
        def of_group(group):
            half = 0.5 * tiles.split(group.weight)
            return (jnp.broadcast_to(half.reshape(half.shape + (1,) * len(batch)), half.shape + batch),) * 2

        return self._each(of_group)

    def to_variables(self, messages, beliefs):
        arriving = self._each(lambda group, messages: tiles.sums(messages, group.at.size), messages)
        return add_log_odds(beliefs, self.at, arriving)

    def update(self, beliefs, messages):
        return self._each(lambda group, old: group._messages(beliefs, old, 0.0, pair_message), messages)

    def soft_update(self, beliefs, messages, temperature):
        soft = partial(soft_pair_message, temperature=temperature)
        return self._each(lambda group, old: group._messages(beliefs, old, temperature, soft), messages)

    def _messages(self, beliefs, messages, temperature, message):
        """Return the new messages of one group."""
        weight, rows, columns = self.incoming(beliefs, messages, temperature)
        return message(columns, weight), message(rows, weight)

    def incoming(self, beliefs: Planes, messages: PyTree, temperature: Number = 0.0) -> tuple[Array, Array, Array]:
        """Return, for the tiles of one group, the weights and the cavity log-odds of rows and columns."""
        belief = bounded(log_odds(beliefs, self.at), self.off_diagonal(), temperature)
        (rows, columns), (to_rows, to_columns) = tiles.ends(belief), messages
        return like(tiles.split(self.weight), to_rows), rows - to_rows, columns - to_columns

    def matrix(self, messages: PyTree) -> Array:
        """Return the messages as (k, k, *batch), or (G, k, k, *batch) for groups; [i, j] is the message from j to i."""
        return self._each(lambda group, messages: tiles.join(messages, group.at.size), messages)

    def bethe(self, beliefs, messages, temperature):
        return self._sum(lambda group, messages: group._bethe(beliefs, messages, temperature), messages)

    def _bethe(self, beliefs, messages, temperature):
        belief, sent = bounded(log_odds(beliefs, self.at), self.off_diagonal(), temperature), self.matrix(messages)
        first, second = np.triu_indices(self.at.size, 1)
        ends = two_states(belief[first]), two_states(belief[second])
        incoming = ends[0] - two_states(sent[first, second]), ends[1] - two_states(sent[second, first])
        return pair_bethe(self.pair_tables()[1], ends, incoming, temperature).sum(0)

    def pair_tables(self):
        first, second = np.triu_indices(self.at.shape[-1], 1)
        pairs = jnp.stack([self.at[..., first], self.at[..., second]], -1).reshape(-1, 2)
        return pairs, corner_tables(self.weight[..., first, second].reshape(-1))

    def locate(self, at):
        """Return the positions in each group, or k for absent variables; the axis of groups follows the blocks."""
        found = self._each(lambda group: positions(group.at, at))
        return found if self.weight.ndim == 2 else jnp.moveaxis(found, 0, jnp.ndim(at) - 1)

    def conditional(self, states: Planes, at, where) -> Rows:
        field = self._sum(lambda group, where: group._fields(states, where), where)
        return of_log_odds(field, states.shape[0])

    def _fields(self, states, where):
        """Return the conditional log-odds of the variables at positions `where` of one group, (width, *batch)."""
        x, size = ones(states, self.at), self.at.size
        slot = jnp.minimum(where, size - 1)
        if where.shape[0] < size:
            field = contract(self.weight[slot], x) - like(self.weight[slot, slot], x) * x[slot]
        else:  # a copy of so many rows would be larger than the matrix
            field = (contract(self.weight, x) - like(jnp.diagonal(self.weight), x) * x)[slot]
        return jnp.where(like(where < size, field), field, 0.0)

    def shift(self, fields, variable, rise, where):
        return fields + self._sum(lambda group, where: group._shift(variable, rise, where), where)

    def _shift(self, variable, rise, where):
        last = self.at.size - 1
        slot = where[variable]
        rows = self.weight[jnp.minimum(slot, last)]  # (batch, k)
        rows = jnp.where(jnp.arange(last + 1, dtype=slot.dtype) == slot[:, None], 0.0, rows)
        both = (where <= last)[:, None] & (slot <= last)  # both variables of a pair are in the group
        # a gather at `where` is faster than a scatter at `at`
        return jnp.where(both, rise * rows.T[jnp.minimum(where, last)], 0.0)

    def free_parameters(self):
        """Return the group with True for all weights outside the diagonals."""
        free = np.broadcast_to(~np.eye(self.weight.shape[-1], dtype=bool), self.weight.shape)
        return eqx.tree_at(lambda factor: factor.weight, super().free_parameters(), free)

    def tied(self):
        """Return the group with W made symmetric and its diagonal set to 0."""
        weight = self.off_diagonal()
        return eqx.tree_at(lambda factor: factor.weight, self, 0.5 * (weight + jnp.swapaxes(weight, -1, -2)))


@jax.jit
def without_diagonal(weight):
    """W with zeros on its diagonal; compiled as one program, where a model is made."""
    return jnp.where(jnp.eye(weight.shape[-1], dtype=bool), 0.0, weight)


@remember.for_these_objects
def check_weight(weight: Array) -> None:
    """Raise ValueError unless each matrix is symmetric with a diagonal of 0. The same array is checked once."""
    check_symmetric("weight", np.asarray(weight))
    check_diagonal("weight", np.asarray(weight))


def check_symmetric(name: str, weight: np.ndarray) -> None:
    """Raise ValueError unless each matrix (..., k, k) is symmetric up to rounding."""
    gap = np.abs(weight - np.swapaxes(weight, -1, -2))
    if gap.max(initial=0.0) > 1e-5 * np.abs(weight).max(initial=0.0):
        place = np.unravel_index(gap.argmax(), gap.shape)
        one, pair = weight[place[:-2]], list(map(int, place[-2:]))
        this = name + "".join(f"[{group}]" for group in place[:-2])
        advice = f"symmetrise it with ({this} + {this}.T) / 2"
        if not (np.tril(one, -1).any() and np.triu(one, 1).any()):
            advice = f"one triangle is 0, so each pair occurs once: use {this} + {this}.T"
        raise ValueError(
            f"{name}: expected a symmetric matrix, got {this}{pair} = {one[*pair]} and {this}{pair[::-1]} = "
            f"{one[*pair[::-1]]}; {advice}"
        )


def check_diagonal(name: str, weight: np.ndarray) -> None:
    """Raise ValueError unless the diagonal of each matrix (..., k, k) is 0."""
    diagonal = np.diagonal(weight, axis1=-2, axis2=-1)
    if diagonal.any():
        place = np.argwhere(diagonal)[0]
        raise ValueError(
            f"{name}: expected a diagonal of 0, got {diagonal[tuple(place)]} at {[*place.tolist(), int(place[-1])]}; "
            "x * x = x for 0 and 1, so add half of it to the bias of the variable, and set it to 0"
        )


@jax.custom_jvp
def quadratic(weight: Float[Array, "k k"], x: Float[Array, "k *batch"]) -> Float[Array, "*batch"]:
    """Return 1/2 x'Wx without the diagonal.

    The diagonal is subtracted, because setting it to zero would create a new matrix in each call. In the gradient, the
    subtraction would leave a rounding error, from which the optimiser Adam would make a step of full size. So the
    derivative sets the diagonal to zero.
    """
    fields = contract(weight, x) - like(jnp.diagonal(weight), x) * x
    return 0.5 * jnp.sum(x * fields, axis=0)


@quadratic.defjvp
def _quadratic_jvp(primals, tangents):
    (weight, x), (d_weight, d_x) = primals, tangents
    inside = jnp.eye(x.shape[0], dtype=bool)
    plain, d_plain = (jnp.where(inside, 0.0, matrix) for matrix in (weight, d_weight))
    fields, d_fields = contract(plain, x), contract(d_plain, x)
    symmetric = 0.5 * (fields + contract(plain.T, x))
    return 0.5 * jnp.sum(x * fields, axis=0), jnp.sum(d_x * symmetric + 0.5 * x * d_fields, axis=0)
