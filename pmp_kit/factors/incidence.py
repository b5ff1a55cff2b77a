"""Incidence lists: the factors of each variable, which log-conditionals need."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from ..engine.arrays import on_device


class Incidence(eqx.Module):
    """The edge ends of each variable that has edges (or factors of more variables), padded to the largest degree.

    Memory: number of variables times largest degree. If a variable is connected to most others, use DensePairwise or
    Bipartite instead.
    """

    ids: Int[Array, " U"]
    ends: Int[Array, "U degree"]  # edge end = side * E + edge; padded with num_ends
    num_edges: int = eqx.field(static=True)
    num_ends: int = eqx.field(static=True)

    def __init__(self, ids: np.ndarray):
        """Args: ids: ids of the variables on each side of each edge, (sides, E)."""
        self.num_edges, self.num_ends = ids.shape[1], ids.size
        flat = ids.reshape(-1)
        order = np.argsort(flat, kind="stable")
        present, start, degree = np.unique(flat[order], return_index=True, return_counts=True)
        table = np.full((present.size, degree.max(initial=0)), flat.size)
        row = np.repeat(np.arange(present.size), degree)
        table[row, np.arange(flat.size) - start[row]] = order
        self.ids, self.ends = on_device(present.astype(np.int32)), on_device(table.astype(np.int32))

    def locate(self, at):
        """Return the edge ends of the variables `at`, (*at.shape, degree), padded with num_ends."""
        if self.num_ends == 0:
            return jnp.zeros((*at.shape, 0), jnp.int32)
        slot = jnp.minimum(jnp.searchsorted(self.ids, jnp.asarray(at, self.ids.dtype)), self.ids.size - 1)
        return jnp.where((self.ids[slot] == at)[..., None], self.ends[slot], self.num_ends)

    def places(self, ends):
        """Return the edge, the side, and whether the end exists, each with the shape of `ends`."""
        known = ends < self.num_ends
        end = jnp.where(known, ends, 0)
        return end % max(self.num_edges, 1), end // max(self.num_edges, 1), known
