"""Sides: a two-colouring of the variables of a list of pairs.

If each pair joins two colours, the messages to one colour depend only on the messages to the other colour.
"""

import numpy as np


def turned(ids: np.ndarray) -> np.ndarray:
    """Return which of the pairs (2, E) have a first variable of the second colour, (E,) bool.

    After these pairs are reversed, each pair starts with a variable of the first colour. The colour of a variable is
    the parity of its distance from the first variable of its connected component. On lattices, chains and trees each
    pair joins two colours. On a loop of odd length, some pair joins two variables of the same colour and is not
    reversed. Cost: E log E.
    """
    first, second = odd_steps(ids)[ids]
    return first & ~second


def odd_steps(ids: np.ndarray) -> np.ndarray:
    """Return whether each variable has an odd distance from the first of its connected component, (n,) bool."""
    from scipy.sparse import coo_array, csgraph

    size = int(ids.max(initial=-1)) + 1
    joined = coo_array((np.ones(ids.shape[1]), (ids[0], ids[1])), (size + 1, size + 1))
    labels = csgraph.connected_components(joined, directed=False)[1]
    firsts = np.unique(labels[:size], return_index=True)[1]
    source = np.full(firsts.size, size)  # one step before the first variable of each component
    joined = joined + coo_array((np.ones(firsts.size), (source, firsts)), joined.shape)
    before = csgraph.breadth_first_order(joined, size, directed=False)[1]
    before[size] = size
    even, rest = np.arange(size + 1) != size, before  # whether the distance to `rest` is odd
    while (rest != size).any():
        even, rest = even ^ even[rest], rest[rest]
    return ~even[:size]  # distances from the source are larger by one
