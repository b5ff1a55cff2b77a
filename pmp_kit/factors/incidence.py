"""Which edges meet at each variable: what Gibbs sampling asks of an edge list."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int


class Incidence(eqx.Module):
    """For each variable that has edges, its edge ends, padded to the largest degree.

    Memory: variables x largest degree; a hub that meets everything belongs into DensePairwise or Bipartite instead.
    """

    ids: Int[Array, " U"]
    ends: Int[Array, "U degree"]  # edge end = side * E + edge; 2 E where there is none
    num_edges: int = eqx.field(static=True)

    def __init__(self, pairs: np.ndarray):
        """Args: pairs: ids (2, E)."""
        self.num_edges = pairs.shape[1]
        flat = pairs.reshape(-1)
        order = np.argsort(flat, kind="stable")
        ids, start, degree = np.unique(flat[order], return_index=True, return_counts=True)
        table = np.full((ids.size, degree.max(initial=0)), flat.size)
        row = np.repeat(np.arange(ids.size), degree)
        table[row, np.arange(flat.size) - start[row]] = order
        self.ids, self.ends = jnp.asarray(ids, dtype=jnp.int32), jnp.asarray(table, dtype=jnp.int32)

    def locate(self, at):
        """The edge ends of the variables `at`, (*at.shape, degree), padded with 2 E."""
        if self.num_edges == 0:
            return jnp.zeros((*at.shape, 0), jnp.int32)
        slot = jnp.minimum(jnp.searchsorted(self.ids, jnp.asarray(at, self.ids.dtype)), self.ids.size - 1)
        return jnp.where((self.ids[slot] == at)[..., None], self.ends[slot], 2 * self.num_edges)

    def neighbours(self, ends):
        """Edge, side of the OTHER variable, and whether the end exists, each of the shape of `ends`."""
        known = ends < 2 * self.num_edges
        end = jnp.where(known, ends, 0)
        return end % max(self.num_edges, 1), 1 - end // max(self.num_edges, 1), known
