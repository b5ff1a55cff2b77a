"""Tiles: the upper triangle of a symmetric matrix as square tiles, so that both messages of a pair are close in memory.

The two messages of a pair, [i, j] and [j, i] of one (k, k) array, are far apart in memory, and a sweep needs both. Here
a tile (I, J) with I <= J holds the messages to the rows and, in a second array, the messages to the columns. A sweep
then reads and writes memory in order. Entries on and below the diagonal and the padding of the last tiles are zero.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.signatures import PyTree

SIDE = 60
"""Approximate side length of a tile: a few tiles fit in the first-level cache, and few of their entries are zero."""


class Tiling(NamedTuple):
    """The division of k variables into `count` strips of `side` variables."""

    k: int
    count: int
    side: int
    rows: Int[np.ndarray, " T"]
    """The row strip of each tile."""
    columns: Int[np.ndarray, " T"]
    """The column strip of each tile."""


def tiling(k: int) -> Tiling:
    """Return a division into equal strips of about `SIDE` variables."""
    count = max(1, round(k / SIDE))
    return Tiling(k, count, -(-k // count), *np.triu_indices(count))


def split(matrix: Float[Array, "k k"]) -> Float[Array, "T side side"]:
    """Return the tiles of the upper triangle of a symmetric matrix."""
    t = tiling(matrix.shape[0])
    above = np.triu(np.ones((t.k, t.k), bool), 1)
    even = jnp.pad(jnp.where(above, matrix, 0.0), (0, t.count * t.side - t.k))
    return even.reshape(t.count, t.side, t.count, t.side).swapaxes(1, 2)[t.rows, t.columns]


def join(messages: PyTree, k: int) -> Float[Array, "k k *batch"]:
    """Return the matrix [to, from] of the messages of k variables to the rows and to the columns of the tiles."""
    to_rows, to_columns = messages
    t, batch = tiling(k), to_rows.shape[3:]
    tiles = jnp.zeros((t.count, t.count, t.side, t.side, *batch), to_rows.dtype)
    tiles = tiles.at[t.rows, t.columns].add(to_rows).at[t.columns, t.rows].add(to_columns.swapaxes(1, 2))
    return tiles.swapaxes(1, 2).reshape(t.count * t.side, t.count * t.side, *batch)[:k, :k]


def ends(values: Float[Array, "k *batch"]) -> tuple[Float[Array, "T side 1 *batch"], Float[Array, "T 1 side *batch"]]:
    """Return the values of the row variables and of the column variables of each tile."""
    t = tiling(values.shape[0])
    padded = jnp.pad(values, [(0, t.count * t.side - t.k)] + [(0, 0)] * (values.ndim - 1))
    strips = padded.reshape(t.count, t.side, *values.shape[1:])
    return strips[t.rows][:, :, None], strips[t.columns][:, None]


def sums(messages: PyTree, k: int) -> Float[Array, "k *batch"]:
    """Return the sum of the messages to each variable, which are the row sums of `join`."""
    to_rows, to_columns = messages
    t = tiling(k)
    of_tiles = jnp.concatenate([to_rows.sum(2), to_columns.sum(1)])
    of_strips = np.argsort(np.concatenate([t.rows, t.columns]), kind="stable").reshape(t.count, t.count + 1)
    return of_tiles[of_strips].sum(1).reshape(t.count * t.side, *to_rows.shape[3:])[:k]  # a strip is in count + 1 tiles
