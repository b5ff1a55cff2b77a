"""A model of pairs of binary variables or spins, from an energy that is quadratic in them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engine import checks
from ..engine.signatures import Number
from ..factors import DensePairwise, Edges
from ..graph import FactorGraph
from .model import ConvertedModel, blocks_of

DENSE = 0.5
"""The share of all pairs from which a matrix of weights is used in place of a list of edges."""


@dataclass(frozen=True, eq=False)
class QuadraticEnergy:
    """E = sum_i h_i v_i + sum_e q_e v_i v_j + offset, with v in {0, 1}^n or {-1, +1}^n, in 64 bits."""

    linear: NDArray[np.floating]
    pairs: NDArray[np.int_]
    quadratic: NDArray[np.floating]
    offset: float

    def __call__(self, values: NDArray[np.int_]) -> NDArray[np.floating]:
        """Return the energies (...) of values (..., n)."""
        from scipy.sparse import coo_array

        columns = values.reshape(-1, values.shape[-1]).T.astype(float)  # (n, number)
        matrix = coo_array((self.quadratic, tuple(self.pairs.T)), shape=(len(columns), len(columns))).tocsr()
        return (self.linear @ columns + (columns * (matrix @ columns)).sum(0) + self.offset).reshape(values.shape[:-1])


def pairs_model(
    names: Sequence[Hashable],
    linear: NDArray[np.floating],
    pairs: NDArray[np.int_],
    quadratic: NDArray[np.floating],
    offset: float,
    inverse_temperature: Number,
    spins: bool,
) -> ConvertedModel:
    """Return the model p(v) proportional to exp(-b E(v)), E = sum_i h_i v_i + sum_e q_e v_i v_j + offset.

    With v = x in {0, 1}, the weight of a pair is -b q, the log-odds are -b h, and the constant is -b offset. With spins
    v = 2 x - 1, they are -4 b q, -b (2 h_i - 2 sum_j q_ij), and -b (offset - sum h + sum q). Pairs that occur more than
    once are added. A pair of a variable with itself is linear for x, because x x = x, and constant for spins.

    Args:
        names: the labels of the n variables.
        linear: h, (n,).
        pairs: places (E, 2) in `names`.
        quadratic: q, (E,).
        offset: a number.
        inverse_temperature: b, in nats for each unit of E.
        spins: whether v is in {-1, +1}.
    """
    b = positive(inverse_temperature)
    linear, pairs, quadratic = linear.astype(float), np.asarray(pairs, int).reshape(-1, 2), quadratic.astype(float)
    energy = QuadraticEnergy(linear, pairs, quadratic, float(offset))
    own = pairs[:, 0] == pairs[:, 1]
    if spins:
        offset = offset + quadratic[own].sum()
    else:
        linear = linear + np.bincount(pairs[own, 0], quadratic[own], len(names))
    pairs, quadratic = _added(np.sort(pairs[~own], axis=1), quadratic[~own], len(names))
    weight, log_odds, constant = -b * quadratic, -b * linear, -b * offset
    if spins:
        ends = np.bincount(pairs.reshape(-1), np.repeat(quadratic, 2), len(names))
        weight, log_odds = 4 * weight, -2 * b * (linear - ends)
        constant = -b * (offset - linear.sum() + quadratic.sum())
    variables, ids = blocks_of(np.full(len(names), 2))
    graph = FactorGraph(variables, _factors(pairs, weight, len(names)), {"x2": log_odds})
    return ConvertedModel(graph, ids, names, float(constant), b, spins, energy=energy)


def positive(inverse_temperature: Number) -> float:
    """Return the checked inverse temperature."""
    return float(checks.number("inverse_temperature", inverse_temperature, 1e-12))


def _added(pairs: NDArray[np.int_], values: NDArray[np.floating], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each pair once, with the sum of its values."""
    each, place = np.unique(pairs[:, 0] * count + pairs[:, 1], return_inverse=True)
    return np.stack([each // count, each % count], 1), np.bincount(place, values, len(each))


def _factors(pairs: NDArray[np.int_], weight: NDArray[np.floating], count: int) -> list[Edges | DensePairwise]:
    """Return the factor of these pairs: none, edges, or a matrix if most pairs occur."""
    if not len(pairs):
        return []
    if len(pairs) <= DENSE * count * (count - 1) / 2 or count < 3:
        return [Edges(pairs, weight)]
    matrix = np.zeros((count, count))
    matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = weight
    return [DensePairwise(np.arange(count), matrix)]
