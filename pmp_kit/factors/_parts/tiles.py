"""Tiles: the upper triangle of a symmetric matrix as square tiles, so that both messages of a pair are close in memory.

The two messages of a pair, [i, j] and [j, i] of one (k, k) array, are far apart in memory, and a sweep needs both. Here
a tile (I, J) with I <= J holds the messages to the rows and, in a second array, the messages to the columns. A sweep
then reads and writes memory in order. Entries on and below the diagonal and the padding of the last tiles are zero.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

SIDE = 60
"""Approximate side length of a tile: a few tiles fit in the first-level cache, and few of their entries are zero."""
PART = 30
"""The most tiles in one array: their messages and weights fit in the second-level cache."""


class Tiling(NamedTuple):
    """The division of k variables into `count` strips of `side` variables, and of the tiles into parts."""

    k: int
    count: int
    side: int
    parts: list[tuple[Int[np.ndarray, " P"], Int[np.ndarray, " P"]]]
    """For each part, the row strips and the column strips of its tiles."""


def tiling(k: int) -> Tiling:
    """Return a division into equal strips of about `SIDE` variables and equal parts of at most `PART` tiles."""
    count = max(1, round(k / SIDE))
    rows, columns = np.triu_indices(count)
    cuts = -(-rows.size // PART)
    parts = list(zip(np.array_split(rows, cuts), np.array_split(columns, cuts), strict=True))
    return Tiling(k, count, -(-k // count), parts)


def split(matrix: Float[Array, "k k"]) -> tuple[Float[Array, "P side side"], ...]:
    """Return the tiles of the mean of a matrix and its transpose, one array for each part."""
    t = tiling(matrix.shape[0])
    above = np.triu(np.ones((t.k, t.k), bool), 1)
    even = jnp.pad(jnp.where(above, 0.5 * (matrix + matrix.T), 0.0), (0, t.count * t.side - t.k))
    tiles = even.reshape(t.count, t.side, t.count, t.side).swapaxes(1, 2)
    return tuple(tiles[rows, columns] for rows, columns in t.parts)


def join(messages: tuple, k: int) -> Float[Array, "k k *batch"]:
    """Return the matrix [to, from] of messages.

    Args:
        messages: for each part, the tiles of messages to the rows and to the columns.
        k: the number of variables.
    """
    t, batch = tiling(k), messages[0][0].shape[3:]
    tiles = jnp.zeros((t.count, t.count, t.side, t.side, *batch), messages[0][0].dtype)
    for (rows, columns), (to_rows, to_columns) in zip(t.parts, messages, strict=True):
        tiles = tiles.at[rows, columns].add(to_rows).at[columns, rows].add(to_columns.swapaxes(1, 2))
    return tiles.swapaxes(1, 2).reshape(t.count * t.side, t.count * t.side, *batch)[:k, :k]


def ends(values: Float[Array, "k *batch"]) -> list[tuple[Array, Array]]:
    """Return the values of the row variables (P, side, 1, *batch) and column variables (P, 1, side, *batch) by part."""
    t = tiling(values.shape[0])
    padded = jnp.pad(values, [(0, t.count * t.side - t.k)] + [(0, 0)] * (values.ndim - 1))
    strips = padded.reshape(t.count, t.side, *values.shape[1:])
    return [(strips[rows][:, :, None], strips[columns][:, None]) for rows, columns in t.parts]


def sums(messages: tuple, k: int) -> Float[Array, "k *batch"]:
    """Return the sum of the messages to each variable, which are the row sums of `join`."""
    t, batch = tiling(k), messages[0][0].shape[3:]
    of_tiles = [to_rows.sum(2) for to_rows, _ in messages] + [to_columns.sum(1) for _, to_columns in messages]
    strip = np.concatenate([rows for rows, _ in t.parts] + [columns for _, columns in t.parts])
    of_strips = np.argsort(strip, kind="stable").reshape(t.count, t.count + 1)  # each strip is in as many tiles
    sums = jnp.concatenate(of_tiles)[of_strips].sum(1)  # adding each part to the strips compiles twice as long
    return sums.reshape(t.count * t.side, *batch)[:k]
