"""Models: the pairs of lattices."""

import numpy as np
import pytest

import pmp_kit as pk


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("shape", [(3, 4), (2, 2), (2, 5), (5, 2), (1, 4), (2, 1)])
def test_lattice_pairs_are_each_pair_of_neighbours_once(shape, periodic):
    pairs = pk.lattice_pairs(np.arange(np.prod(shape)).reshape(shape), periodic)
    expected = set()
    for place in np.ndindex(*shape):
        for step in ((0, 1), (1, 0)):
            other = np.add(place, step)
            other = other % shape if periodic else other
            if (other < shape).all() and tuple(other) != place:
                expected.add(frozenset({np.ravel_multi_index(place, shape), np.ravel_multi_index(tuple(other), shape)}))
    assert len(pairs) == len(expected)
    assert {frozenset(pair) for pair in pairs.tolist()} == expected
