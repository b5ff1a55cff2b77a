"""QUBO (quadratic unconstrained binary optimisation) from a dict or a matrix."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..engine import checks
from ..engine.signatures import ArrayLike, Number
from .model import ConvertedModel
from .pairs import pairs_model


def from_qubo(
    qubo: Mapping[Any, float] | ArrayLike, offset: Number = 0.0, inverse_temperature: Number = 1.0
) -> ConvertedModel:
    """Return the model p(x) proportional to exp(-b E(x)), E(x) = x'Qx + offset, with x in {0, 1}^n.

    The diagonal is linear, and Q_ij and Q_ji are added. So a symmetric matrix has half of each coefficient at both
    places, and a triangular one has all of it at one.

    Args:
        qubo: a dict (label, label) -> coefficient, a matrix (n, n), or a sparse matrix of SciPy. The names are the
            labels, in increasing order if all are whole numbers, else as they first occur; 0 to n-1 for a matrix.
        offset: a number in the units of Q.
        inverse_temperature: b, in nats for each unit of energy.

    Raises: TypeError or ValueError that names the argument.
    """
    names, pairs, values = _entries(qubo)
    if not np.isfinite(values).all():
        raise ValueError(f"qubo: expected finite numbers, got {values[~np.isfinite(values)][0]}")
    offset = checks.number("offset", offset)
    return pairs_model(names, np.zeros(len(names)), pairs, values, offset, inverse_temperature, spins=False)


def _entries(qubo) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return the labels, and the places (E, 2) and values of entries."""
    if isinstance(qubo, Mapping):
        for key in qubo:
            if not (isinstance(key, tuple) and len(key) == 2):
                raise TypeError(f"qubo: expected keys (label, label), got {checks.describe(key)}")
        labels = list(dict.fromkeys(label for key in qubo for label in key))
        whole = all(isinstance(label, (int, np.integer)) for label in labels)
        labels = sorted(labels) if whole else labels
        place = {label: number for number, label in enumerate(labels)}
        pairs = np.array([(place[i], place[j]) for i, j in qubo], int).reshape(-1, 2)
        return labels, pairs, np.fromiter(qubo.values(), float, len(qubo))
    sparse = hasattr(qubo, "tocoo")
    matrix: Any = qubo.tocoo() if sparse else checks.rectangular("qubo", qubo)  # pyright: ignore[reportAttributeAccessIssue]
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"qubo: expected a dict or a square matrix, got shape {matrix.shape}")
    row, column = (matrix.row, matrix.col) if sparse else np.nonzero(matrix)
    values = matrix.data if sparse else matrix[row, column]
    return range(matrix.shape[0]), np.stack([row, column], 1).astype(int), np.asarray(values, float)
