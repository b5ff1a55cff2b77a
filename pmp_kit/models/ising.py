"""Ising models with one block "x": dense, on a lattice, and the one-parameter example of Section 5.1."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.typing import NDArray

from ..engine import checks
from ..engine.signatures import ArrayLike, Number, Shape
from ..factors import DensePairwise, Edges
from ..graph import FactorGraph
from ..variables import Binary, Variables
from .spins import spins_to_binary


class Ising(eqx.Module):
    """The fully connected Ising model with score 1/2 x'Wx + b'x, x in {0,1}^n (Appendix C.1).

    The parameters are W and b.
    """

    weight: Float[Array, "n n"]
    bias: Float[Array, " n"]
    shape: tuple[int, ...] = eqx.field(static=True)

    def __init__(self, weight: ArrayLike, bias: ArrayLike, shape: Shape | None = None):
        """Args:
        weight: W, (n, n), symmetric, in nats. Its diagonal is 0: half of another one belongs to b, because x x = x.
        bias: b, (n,), in nats.
        shape: shape of the block "x", by default (n,); for example (30, 30) for images.

        Raises: TypeError or ValueError that names the argument.
        """
        self.bias = checks.parameter("bias", bias, (None,))
        self.weight = checks.parameter("weight", weight, (self.bias.size, self.bias.size))
        self.shape = checks.shape("shape", self.bias.shape if shape is None else shape, self.bias.size)
        self.graph()

    def graph(self) -> FactorGraph:
        variables = Variables(x=Binary(*self.shape))
        unaries = {"x": self.bias.reshape(self.shape)}
        return FactorGraph(variables, [DensePairwise(variables["x"], self.weight)], unaries)


class CompleteIsing(eqx.Module):
    """Fully connected spins with equal couplings, score theta sum_{i<j} s_i s_j, s in {-1,+1}^n (Section 5.1, n = 4).

    The block "x" has states {0, 1}, with s = 2x - 1. The score is this sum up to a constant: if all spins are equal, it
    is 0. So scores and log Z are theta n (n - 1) / 2 smaller than those of the sum, and its moment is n (n - 1) / 2
    smaller than the mean of sum_{i<j} s_i s_j.
    """

    coupling: Float[Array, ""]
    spins: int = eqx.field(static=True)

    def __init__(self, coupling: Number, spins: int = 4):
        """Args:
        coupling: theta, in nats, the only parameter.
        spins: the number n of spins.

        Raises: TypeError or ValueError that names the argument.
        """
        self.coupling = checks.parameter("coupling", coupling, ())
        self.spins = checks.count("spins", spins, minimum=2)

    def graph(self) -> FactorGraph:
        pairs = np.ones((self.spins, self.spins)) - np.eye(self.spins)
        weight, bias, _ = spins_to_binary(self.coupling * jnp.asarray(pairs, self.coupling.dtype), 0.0)
        variables = Variables(x=Binary(self.spins))
        return FactorGraph(variables, [DensePairwise(variables["x"], weight)], {"x": bias})


def ising_lattice(side: int, coupling: Number = 0.1, bias: Number = 0.0, periodic: bool = True) -> FactorGraph:
    """Return a square lattice of spins, score J sum_edges s_i s_j + h sum_i s_i, s in {-1,+1} (Sections 5.2, 5.4).

    The block "x" has states {0, 1}, with s = 2x - 1. The score is this sum up to a constant: if all spins are down, it
    is 0. So for n spins and E edges, scores and log Z are J E - h n smaller than those of the sum.

    Args:
        side: the shape is (side, side); at least 2, or 3 if periodic.
        coupling: J, one number, in nats; positive values favour equal neighbours.
        bias: h, one number, in nats.
        periodic: whether the last row and column are neighbours of the first.

    Returns: a FactorGraph. Raises: TypeError or ValueError that names the argument.
    """
    side = checks.count("side", side, minimum=3 if checks.flag("periodic", periodic) else 2)
    coupling, bias = checks.parameter("coupling", coupling, ()), checks.parameter("bias", bias, ())
    variables = Variables(x=Binary(side, side))
    pairs = lattice_pairs(variables["x"], periodic)
    degree = np.bincount(pairs.reshape(-1), minlength=side * side).reshape(side, side)
    unaries = 2.0 * bias - 2.0 * coupling * jnp.asarray(degree, coupling.dtype)
    return FactorGraph(variables, [Edges(pairs, 4.0 * coupling)], {"x": unaries})


def lattice_pairs(ids: ArrayLike, periodic: bool = False) -> NDArray[np.int_]:
    """Return the pairs (E, 2) of horizontal and vertical neighbours in a 2-D array of ids, each pair once.

    Args:
        ids: a 2-D array of ids, such as variables["x"].
        periodic: whether the last row and column are neighbours of the first.

    Raises: TypeError or ValueError that names the argument.
    """
    ids = checks.grid("ids", ids)
    periodic = checks.flag("periodic", periodic)
    return np.concatenate([_neighbours(ids, axis, periodic) for axis in (1, 0)])


def _neighbours(ids, axis: int, periodic: bool) -> np.ndarray:
    """Return each id with the next one along an axis. A periodic side of 2 adds no pair, because it would repeat."""
    after = np.roll(ids, -1, axis)
    pairs = np.stack([ids, after], -1)
    if not periodic or ids.shape[axis] <= 2:
        pairs = np.delete(pairs, -1, axis)
    return pairs.reshape(-1, 2)
