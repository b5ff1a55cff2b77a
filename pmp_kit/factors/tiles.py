"""Tiles: a symmetric matrix as the square tiles of its upper triangle, so that both messages of a pair lie together.

A message and its way back, [i, j] and [j, i] of one (k, k) array, are far apart in memory, and a sweep needs both. Here
a tile (I, J), I <= J, holds what goes to the rows and, in a second array, what goes to the columns: a sweep reads and
writes in order. On and below the diagonal a tile is zero, and so is what fills the last tiles.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

SIDE = 60
"""Variables along a tile, about: some tiles fit a core's first-level cache, and few of their numbers are zero."""


class Tiling(NamedTuple):
    """How k variables are cut into `count` strips of `side` variables, and which strips meet in each tile."""

    k: int
    count: int
    side: int
    rows: Int[np.ndarray, " P"]
    columns: Int[np.ndarray, " P"]

    @property
    def above(self) -> Bool[np.ndarray, "P side side"]:
        """Which entries of each tile are above the diagonal of the matrix."""
        place = np.arange(self.count * self.side).reshape(self.count, self.side)
        first, second = place[self.rows][:, :, None], place[self.columns][:, None]
        return (first < second) & (second < self.k)


def tiling(k: int) -> Tiling:
    """Even strips of about `SIDE` variables."""
    count = max(1, round(k / SIDE))
    rows, columns = np.triu_indices(count)
    return Tiling(k, count, -(-k // count), rows, columns)


def split(matrix: Float[Array, "k k"]) -> Float[Array, "P side side"]:
    """The tiles of the mean of a matrix and its transpose."""
    t = tiling(matrix.shape[0])
    even = jnp.pad(0.5 * (matrix + matrix.T), (0, t.count * t.side - t.k))
    tiles = even.reshape(t.count, t.side, t.count, t.side).swapaxes(1, 2)[t.rows, t.columns]
    return jnp.where(t.above, tiles, 0.0)


def join(to_rows: Float[Array, "P side side *batch"], to_columns, k: int) -> Float[Array, "k k *batch"]:
    """The matrix [to, from] from the tiles of what goes to the rows and to the columns."""
    t = tiling(k)
    empty = jnp.zeros((t.count, t.count, t.side, t.side, *to_rows.shape[3:]), to_rows.dtype)
    tiles = empty.at[t.rows, t.columns].add(to_rows).at[t.columns, t.rows].add(to_columns.swapaxes(1, 2))
    matrix = tiles.swapaxes(1, 2).reshape(t.count * t.side, t.count * t.side, *to_rows.shape[3:])
    return matrix[:k, :k]


def ends(values: Float[Array, "k *batch"]) -> tuple[Float[Array, "P side 1 *batch"], Float[Array, "P 1 side *batch"]]:
    """A number of each variable, along the rows and along the columns of every tile."""
    t = tiling(values.shape[0])
    padded = jnp.pad(values, [(0, t.count * t.side - t.k)] + [(0, 0)] * (values.ndim - 1))
    strips = padded.reshape(t.count, t.side, *values.shape[1:])
    return strips[t.rows][:, :, None], strips[t.columns][:, None]


def sums(to_rows: Float[Array, "P side side *batch"], to_columns, k: int) -> Float[Array, "k *batch"]:
    """Everything that goes to each variable: the sums over the rows of `join`."""
    t = tiling(k)
    strips = jnp.zeros((t.count, t.side, *to_rows.shape[3:]), to_rows.dtype)
    strips = strips.at[t.rows].add(to_rows.sum(2)).at[t.columns].add(to_columns.sum(1))
    return strips.reshape(t.count * t.side, *strips.shape[2:])[:k]
