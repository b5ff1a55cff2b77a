"""Weighted pairs: what `Edges` and `Potts` share, a list of pairs with a weight each or one weight for all."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.signatures import ArrayLike
from .base import AbstractFactor
from .incidence import Incidence
from .two_colouring import turned


class AbstractWeightedPairs(AbstractFactor):
    """Pairs of variables with weights. The pairs are reordered so that the first variable has the first colour."""

    weight: eqx.AbstractVar[Float[Array, "*E"]]
    pairs: eqx.AbstractVar[Int[Array, "2 E"]]
    incidence: eqx.AbstractVar[Incidence]

    @property
    def weights(self) -> Float[Array, " E"]:
        """The weight of each edge."""
        return jnp.broadcast_to(self.weight, self.pairs.shape[1:])

    @property
    def sides(self) -> int:
        return 2

    @property
    def scopes(self):
        return (np.asarray(self.pairs).T,)

    def bounds(self):
        size = jnp.abs(self.weights).sum()
        return size, size

    def locate(self, at):
        return self.incidence.locate(at)

    def neighbours(self, where: Array) -> tuple[Array, Array]:
        """Return the other variable of each located pair and the weight of the pair, which is 0 in the padding."""
        edge, side, known = self.incidence.places(where)
        return jnp.where(known, self.pairs[1 - side, edge], 0), jnp.where(known, self.weights[edge], 0.0)


def weighted_pairs(pairs: ArrayLike, weight: ArrayLike) -> tuple[Array, Array, Incidence]:
    """Return the checked weight, the reordered pairs (2, E) and their incidence."""
    ids = edge_ids(pairs)
    ids = np.where(turned(ids), ids[::-1], ids)
    return edge_weights(weight, ids), on_device(ids), Incidence(ids)


def edge_ids(pairs: ArrayLike) -> np.ndarray:
    """Return the checked pairs as (2, E)."""
    given = checks.rectangular("pairs", pairs)
    ids = checks.ids("pairs", np.zeros((0, 2), np.int32) if given.size == 0 else given, columns=2)
    if (ids[:, 0] == ids[:, 1]).any():
        edge = int(np.argmax(ids[:, 0] == ids[:, 1]))
        raise ValueError(
            f"pairs: expected two different variables, got {ids[edge].tolist()} at edge {edge}; "
            "use the unaries for a term of one variable"
        )
    return np.ascontiguousarray(ids.T)


def edge_weights(weight: ArrayLike, ids: np.ndarray) -> Float[Array, "*E"]:
    """Return the checked weights of edges (2, E): one number for all, or (E,)."""
    value = checks.parameter("weight", weight)
    if value.shape not in ((), (ids.shape[1],)):
        raise ValueError(f"weight: expected one number or shape ({ids.shape[1]},), got {value.shape}")
    return value
