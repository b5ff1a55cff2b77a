"""Sides: pairs of variables in two colours, so that the messages to one colour depend on those to the other alone."""

import numpy as np


def turned(ids: np.ndarray) -> np.ndarray:
    """Which of the pairs (2, E) go from the second to the first colour, (E,) bool; turn them, and all begin alike.

    The colours are even and odd steps from the first variable of each connected part. They divide lattices, chains and
    trees; on a loop of odd length some pair joins two of a colour, and stays as it is. Cost: E log E.
    """
    first, second = odd_steps(ids)[ids]
    return first & ~second


def odd_steps(ids: np.ndarray) -> np.ndarray:
    """Whether each variable is an odd number of steps from the first of its connected part, (n,) bool."""
    from scipy.sparse import coo_array, csgraph

    size = int(ids.max(initial=-1)) + 1
    joined = coo_array((np.ones(ids.shape[1]), (ids[0], ids[1])), (size + 1, size + 1))
    labels = csgraph.connected_components(joined, directed=False)[1]
    firsts = np.unique(labels[:size], return_index=True)[1]
    source = np.full(firsts.size, size)  # one step before the first of each part
    joined = joined + coo_array((np.ones(firsts.size), (source, firsts)), joined.shape)
    before = csgraph.breadth_first_order(joined, size, directed=False)[1]
    before[size] = size
    even, rest = np.arange(size + 1) != size, before  # odd steps to where `rest` points
    while (rest != size).any():
        even, rest = even ^ even[rest], rest[rest]
    return ~even[:size]  # the source is one step further than the first
