"""Sides: a two-colouring of the variables of a list of pairs, and the spanning forest that it follows from.

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
    if ids.max(initial=0) > 10**6 + 10 * ids.size:  # a wrong id, which is refused later, would take all memory here
        ids = np.unique(ids, return_inverse=True)[1].reshape(ids.shape)
    first, second = odd_steps(ids)[ids]
    return first & ~second


def odd_steps(ids: np.ndarray) -> np.ndarray:
    """Return whether each variable has an odd distance from the first of its connected component, (n,) bool."""
    size = int(ids.max(initial=-1)) + 1
    rest = np.append(spanning_forest(ids, size)[1], size)
    odd = np.arange(size + 1) != size  # the distance to `rest`, at first one step
    while (rest != size).any():
        odd, rest = odd ^ odd[rest], rest[rest]
    return ~odd[:size]  # distances from the source are larger by one


def spanning_forest(ids: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return an order of n variables in which each follows its parent, and the parents, (n,) each.

    The search is breadth-first, from the first variable of each connected component of the pairs (2, E). These roots
    have the parent n, which stands for a source one step before them. Cost: E log E.
    """
    from scipy.sparse import coo_array, csgraph

    joined = coo_array((np.ones(ids.shape[1]), (ids[0], ids[1])), (size + 1, size + 1))
    labels = csgraph.connected_components(joined, directed=False)[1]
    roots = np.unique(labels[:size], return_index=True)[1]
    joined = joined + coo_array((np.ones(roots.size), (np.full(roots.size, size), roots)), joined.shape)
    order, parent = csgraph.breadth_first_order(joined, size, directed=False)
    return order[1:], parent[:size]
