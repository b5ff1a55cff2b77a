"""The normal form of a pairwise model, in NumPy: each pair once, state 0 as the reference, no pair without effect."""

from typing import NamedTuple

import numpy as np


class NormalForm(NamedTuple):
    """score(x) = constant + sum_i [u_i + unaries_i](x_i) + sum_e tables_e(x_i, x_j)."""

    pairs: np.ndarray
    """Ids (E, 2), the lower first, each pair once."""
    tables: np.ndarray
    """(E, C, C), zero where either state is 0; none is all zero. For binary variables w_ij at [1, 1]."""
    unaries: np.ndarray
    """What the pairs add to the scores of single variables, (C, n)."""
    constant: float


def normal_form(pairs: np.ndarray, tables: np.ndarray, num_variables: int) -> NormalForm:
    """Normal form of pairs (E, 2) with tables (E, C, C). Cost: C^2 E and sorting the pairs."""
    tables = tables.astype(np.float64)
    swapped = pairs[:, 0] > pairs[:, 1]
    pairs = np.sort(pairs, axis=1)
    tables = np.where(swapped[:, None, None], tables.swapaxes(1, 2), tables)
    corner = tables[:, 0, 0]
    first, second = tables[:, :, 0] - corner[:, None], tables[:, 0] - corner[:, None]
    unaries = np.zeros((num_variables, tables.shape[1]))
    np.add.at(unaries, pairs[:, 0], first)
    np.add.at(unaries, pairs[:, 1], second)
    rest = tables - corner[:, None, None] - first[:, :, None] - second[:, None]
    unique, place = np.unique(pairs, axis=0, return_inverse=True)
    merged = np.zeros((len(unique), *tables.shape[1:]))
    np.add.at(merged, place.reshape(-1), rest)
    keep = np.abs(merged).max(axis=(1, 2), initial=0.0) > 0
    return NormalForm(unique[keep], merged[keep], unaries.T, float(corner.sum()))
