"""Which factors meet at each variable: what Gibbs sampling asks of a group of factors."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from ...engine.arrays import on_device


class Incidence(eqx.Module):
    """For each variable that has edges (or wider factors), its edge ends, padded to the largest degree.

    Memory: variables x largest degree; a hub that meets everything belongs into DensePairwise or Bipartite instead.
    """

    ids: Int[Array, " U"]
    ends: Int[Array, "U degree"]  # edge end = side * E + edge; num_ends where there is none
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
        """The edge ends of the variables `at`, (*at.shape, degree), padded with num_ends."""
        if self.num_ends == 0:
            return jnp.zeros((*at.shape, 0), jnp.int32)
        slot = jnp.minimum(jnp.searchsorted(self.ids, jnp.asarray(at, self.ids.dtype)), self.ids.size - 1)
        return jnp.where((self.ids[slot] == at)[..., None], self.ends[slot], self.num_ends)

    def places(self, ends):
        """Edge, side, and whether the end exists, each of the shape of `ends`."""
        known = ends < self.num_ends
        end = jnp.where(known, ends, 0)
        return end % max(self.num_edges, 1), end // max(self.num_edges, 1), known

    def neighbours(self, ends):
        """Edge, side of the OTHER of a pair, and whether the end exists, each of the shape of `ends`."""
        edge, side, known = self.places(ends)
        return edge, 1 - side, known
