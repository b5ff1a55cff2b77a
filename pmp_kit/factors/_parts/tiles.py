"""Tiles: a symmetric matrix as the square tiles of its upper triangle, so that both messages of a pair lie together.

A message and its way back, [i, j] and [j, i] of one (k, k) array, are far apart in memory, and a sweep needs both. Here
a tile (I, J), I <= J, holds what goes to the rows and, in a second array, what goes to the columns: a sweep reads and
writes in order. On and below the diagonal a tile is zero, and so is what fills the last tiles.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

SIDE = 60
"""Variables along a tile, about: some tiles fit a core's first-level cache, and few of their numbers are zero."""
PART = 30
"""Tiles in one array, at most: the messages and weights of so many fit a core's second-level cache."""


class Tiling(NamedTuple):
    """How k variables are cut into `count` strips of `side` variables, and the tiles into parts."""

    k: int
    count: int
    side: int
    parts: list[tuple[Int[np.ndarray, " P"], Int[np.ndarray, " P"]]]
    """For each part, the strips that meet in its tiles: those of the rows and those of the columns."""


def tiling(k: int) -> Tiling:
    """Even strips of about `SIDE` variables, even parts of at most `PART` tiles."""
    count = max(1, round(k / SIDE))
    rows, columns = np.triu_indices(count)
    cuts = -(-rows.size // PART)
    parts = list(zip(np.array_split(rows, cuts), np.array_split(columns, cuts), strict=True))
    return Tiling(k, count, -(-k // count), parts)


def split(matrix: Float[Array, "k k"]) -> tuple[Float[Array, "P side side"], ...]:
    """The tiles of the mean of a matrix and its transpose, part by part."""
    t = tiling(matrix.shape[0])
    above = np.triu(np.ones((t.k, t.k), bool), 1)
    even = jnp.pad(jnp.where(above, 0.5 * (matrix + matrix.T), 0.0), (0, t.count * t.side - t.k))
    tiles = even.reshape(t.count, t.side, t.count, t.side).swapaxes(1, 2)
    return tuple(tiles[rows, columns] for rows, columns in t.parts)


def join(messages: tuple, k: int) -> Float[Array, "k k *batch"]:
    """The matrix [to, from] of messages: for each part the tiles of what goes to the rows and to the columns."""
    t, batch = tiling(k), messages[0][0].shape[3:]
    tiles = jnp.zeros((t.count, t.count, t.side, t.side, *batch), messages[0][0].dtype)
    for (rows, columns), (to_rows, to_columns) in zip(t.parts, messages, strict=True):
        tiles = tiles.at[rows, columns].add(to_rows).at[columns, rows].add(to_columns.swapaxes(1, 2))
    return tiles.swapaxes(1, 2).reshape(t.count * t.side, t.count * t.side, *batch)[:k, :k]


def ends(values: Float[Array, "k *batch"]) -> list[tuple[Array, Array]]:
    """A number of each variable along the rows (P, side, 1, *batch) and columns (P, 1, side, *batch) of each part."""
    t = tiling(values.shape[0])
    padded = jnp.pad(values, [(0, t.count * t.side - t.k)] + [(0, 0)] * (values.ndim - 1))
    strips = padded.reshape(t.count, t.side, *values.shape[1:])
    return [(strips[rows][:, :, None], strips[columns][:, None]) for rows, columns in t.parts]


def sums(messages: tuple, k: int) -> Float[Array, "k *batch"]:
    """Everything that goes to each variable: the sums over the rows of `join`."""
    t, batch = tiling(k), messages[0][0].shape[3:]
    strips = jnp.zeros((t.count, t.side, *batch), messages[0][0].dtype)
    for (rows, columns), (to_rows, to_columns) in zip(t.parts, messages, strict=True):
        strips = strips.at[rows].add(to_rows.sum(2)).at[columns].add(to_columns.sum(1))
    return strips.reshape(t.count * t.side, *batch)[:k]
