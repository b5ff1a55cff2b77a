"""The normal form of a pairwise model with state 0 as the reference, in NumPy with 64-bit precision."""

from typing import NamedTuple

import numpy as np


class NormalForm(NamedTuple):
    """score(x) = constant + sum_i unaries_i(x_i) + sum_e tables_e(x_i, x_j), or -inf if a pair is forbidden."""

    pairs: np.ndarray
    """Ids (E, 2) with the lower id first; each pair occurs once."""
    tables: np.ndarray
    """(E, C, C), zero if either state is 0. For binary variables only [1, 1] is nonzero, and it is w_ij."""
    forbidden: np.ndarray
    """Which pairs of states have score -inf, (E, C, C) bool. Their -inf is replaced by 0 before the normal form."""
    unaries: np.ndarray
    """The part of the pair scores that depends on one variable, (C, n)."""
    constant: float
    largest: np.ndarray
    """The sum of the largest absolute scores of the tables of each pair, (E,), for the rounding error of `tables`."""


def merged(pairs: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each pair once with the lower id first, (E, 2), and the sum of its tables, (E, C, C).

    Nothing is subtracted, so tables may contain -inf. Cost: sorting the pairs.
    """
    tables = tables.astype(np.float64)
    swapped = pairs[:, 0] > pairs[:, 1]
    tables = np.where(swapped[:, None, None], tables.swapaxes(1, 2), tables)
    unique, place = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    total = np.zeros((len(unique), *tables.shape[1:]))
    np.add.at(total, place.reshape(-1), tables)
    return unique, total


def normal_form(pairs: np.ndarray, tables: np.ndarray, num_variables: int) -> NormalForm:
    """Return the normal form of pairs (E, 2) with tables (E, C, C), without pairs of constant score.

    Cost: that of `merged`.
    """
    finite = np.where(np.isfinite(tables), np.abs(tables), 0.0)
    _, largest = merged(pairs, finite.max((1, 2), keepdims=True, initial=0.0))
    pairs, tables = merged(pairs, tables)
    forbidden = np.isneginf(tables)
    tables = np.where(forbidden, 0.0, tables)
    corner = tables[:, 0, 0]
    first, second = tables[:, :, 0] - corner[:, None], tables[:, 0] - corner[:, None]
    unaries = np.zeros((num_variables, tables.shape[1]))
    np.add.at(unaries, pairs[:, 0], first)
    np.add.at(unaries, pairs[:, 1], second)
    rest = tables - corner[:, None, None] - first[:, :, None] - second[:, None]
    keep = ((rest != 0) | forbidden).any((1, 2))
    constant, largest = float(corner.sum()), largest[keep, 0, 0]
    return NormalForm(pairs[keep], rest[keep], forbidden[keep], unaries.T, constant, largest)
