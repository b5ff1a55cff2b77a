"""Dense pairwise factor: all pairs of a set of binary variables (the Ising model of Appendix C.1)."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks, identity_cache
from ..engine.arrays import is_traced, on_device
from ..engine.planes import add_log_odds, contract, like, log_odds, of_log_odds, ones
from ..engine.signatures import ArrayLike, PyTree
from . import tiles
from .base import check_binary, positions
from .binary_pairs import AbstractBinaryPairs, bounded, corner_tables
from .group import member_ids


class DensePairwise(AbstractBinaryPairs):
    """All pairs of k binary variables: score 1/2 x'Sx = sum_{i<j} s_ij x_i x_j, x in {0,1} (Appendix C.1).

    S = (W + W') / 2 without its diagonal. The constructor stores S, and a graph makes it again from a W that was
    changed (`symmetric`). So the gradient of the score is symmetric: w_ij and w_ji each get half of the moment
    difference. The diagonal is 0, because x x = x: half of it would belong to the unaries. Several groups of the same
    size can be one factor with a leading axis of groups, which compiles as one. The messages are log-odds to the rows
    and to the columns, in tiles of the upper triangle (see `factors/tiles.py`); `matrix` returns them as (k, k).
    Memory and cost of a sweep: k^2 for each batch element.
    """

    weight: Float[Array, "*G k k"]
    at: Int[Array, "*G k"]

    def __init__(self, at: ArrayLike, weight: ArrayLike):
        """Args:
        at: distinct ids of the variables: (k,) or the shape of a block; (G, k) for G groups.
        weight: W in nats, symmetric with a diagonal of 0: (k, k), or (G, k, k) for G groups, which may share
            variables. A traced W is not checked: S takes its place.

        Raises: TypeError or ValueError that names the argument.
        """
        value = checks.parameter("weight", weight)
        ids = member_ids("at", at) if value.ndim == 3 else checks.ids("at", at)
        if ids.size == 0:
            raise ValueError("at: expected at least one variable, got none")
        checks.distinct("at", np.atleast_2d(ids))
        value = checks.parameter("weight", value, (*ids.shape, ids.shape[-1]))
        if not is_traced(value):
            check_symmetric("weight", np.asarray(value))
            check_diagonal("weight", np.asarray(value))
        self.weight, self.at = symmetrised(value), on_device(ids)

    def symmetric(self) -> "DensePairwise":
        """Return the factor with S in place of W, or the factor itself if W is known to be S."""
        weight = symmetrised(self.weight)
        return self if weight is self.weight else eqx.tree_at(lambda factor: factor.weight, self, weight)

    def _each(self, function, *arguments):
        """Return function(weight, at, ...) of the single group, or of all groups with the results on a leading axis."""
        of_group = function if self.weight.ndim == 2 else jax.vmap(function)
        return of_group(self.weight, self.at, *arguments)

    def _sum(self, function, *arguments):
        """Return the sum of `_each` over the groups."""
        result = self._each(function, *arguments)
        return result if self.weight.ndim == 2 else result.sum(0)

    @property
    def sides(self) -> int:
        return 1

    @property
    def weights(self):
        """S in the tiles of the upper triangle, (T, side, side), or (G, T, side, side) for groups."""
        return self._each(lambda weight, at: tiles.split(weight))

    @property
    def scopes(self):
        first, second = np.triu_indices(self.at.shape[-1], 1)
        at = np.asarray(self.at)
        return (np.stack([at[..., first], at[..., second]], axis=-1).reshape(-1, 2),)

    def couples(self, members):
        return bool((members[np.asarray(self.at)].sum(-1) > 1).any())

    def check(self, variables):
        check_binary("at", np.asarray(self.at).reshape(-1), variables)

    def score(self, states):
        return self._sum(lambda weight, at: _quadratic(weight, ones(states, at)))

    def to_variables(self, messages, beliefs):
        arriving = self._each(lambda weight, at, messages: tiles.sums(messages, at.size), messages)
        return add_log_odds(beliefs, self.at, arriving)

    def update_side(self, beliefs, messages, side):
        return self.update(beliefs, messages)

    def cavities(self, beliefs, messages, temperature=0.0):
        def of_group(weight, at, messages):
            rows, columns = tiles.ends(bounded(log_odds(beliefs, at), weight, temperature))
            return rows - messages[0], columns - messages[1]

        return self._each(of_group, messages)

    def matrix(self, messages: PyTree) -> Array:
        """Return the messages as (k, k, *batch), or (G, k, k, *batch) for groups; [i, j] is the message from j to i."""
        return self._each(lambda weight, at, messages: tiles.join(messages, at.size), messages)

    def pair_tables(self):
        first, second = np.triu_indices(self.at.shape[-1], 1)
        pairs = jnp.stack([self.at[..., first], self.at[..., second]], -1).reshape(-1, 2)
        return pairs, corner_tables(self.weight[..., first, second].reshape(-1))

    def locate(self, at):
        """Return the positions in each group, or k for absent variables; the axis of groups follows the blocks."""
        found = self._each(lambda weight, ids: positions(ids, at))
        return found if self.weight.ndim == 2 else jnp.moveaxis(found, 0, jnp.ndim(at) - 1)

    def conditional(self, states, at, where):
        field = self._sum(lambda weight, ids, where: _fields(weight, ones(states, ids), where), where)
        return of_log_odds(field, states.shape[0]), None

    def rise(
        self, variable: Int[Array, " batch"], step: Float[Array, " batch"], where: PyTree
    ) -> Float[Array, "n batch"]:
        """Return what is added to the log-odds of all variables, each given the others, if one variable changes.

        Args:
            variable: the id of the changed variable.
            step: +1 for a change from 0 to 1, -1 for a change from 1 to 0, 0 for no change.
            where: the positions of all variables, from `locate`.
        """
        return self._sum(lambda weight, ids, where: _rise(weight, variable, step, where), where)


def _quadratic(weight, x):
    """Return 1/2 x'Sx, (*batch). The diagonal of 0 is not a parameter, so it has no derivative."""
    diagonal = jnp.eye(weight.shape[0], dtype=bool)
    pairs = jnp.where(diagonal, jax.lax.stop_gradient(weight), weight)  # XLA makes no copy of two equal arrays
    return 0.5 * jnp.sum(x * contract(pairs, x), axis=0)


def _fields(weight, x, where):
    """Return the conditional log-odds of the variables at positions `where` of one group, (width, *batch)."""
    size = weight.shape[0]
    slot = jnp.minimum(where, size - 1)
    few = where.shape[0] < size  # a copy of more rows would be larger than the matrix
    field = contract(weight[slot], x) if few else contract(weight, x)[slot]
    return jnp.where(like(where < size, field), field, 0.0)


def _rise(weight, variable, step, where):
    """Return `DensePairwise.rise` of one group."""
    last = weight.shape[0] - 1
    slot = where[variable]
    rows = weight[jnp.minimum(slot, last)]  # (batch, k)
    both = (where <= last)[:, None] & (slot <= last)  # both variables of a pair are in the group
    # a gather at `where` is faster than a scatter at `at`
    return jnp.where(both, step * rows.T[jnp.minimum(where, last)], 0.0)


def symmetrised(weight: Array) -> Array:
    """Return (W + W') / 2 without its diagonal, or W itself if it is known to be the same."""
    return weight if not is_traced(weight) and is_symmetric(weight) else _symmetrised(weight)


@jax.jit
def _symmetrised(weight: Array) -> Array:
    return without_diagonal(0.5 * (weight + jnp.swapaxes(weight, -1, -2)))


@jax.jit
def without_diagonal(weight: Array) -> Array:
    """Return W with zeros on its diagonal; compiled as one program, where a model is made."""
    return jnp.where(jnp.eye(weight.shape[-1], dtype=bool), 0.0, weight)


@identity_cache.by_identity
def is_symmetric(weight: Array) -> bool:
    """Return whether each matrix equals its transpose and has a diagonal of 0. The same array is compared once."""
    values = np.asarray(weight)
    diagonal = np.diagonal(values, axis1=-2, axis2=-1)
    return not diagonal.any() and np.array_equal(values, np.swapaxes(values, -1, -2))


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
