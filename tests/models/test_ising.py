"""Models: the pairs of lattices, and the constants of scores."""

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


def test_the_score_of_equal_couplings_is_the_sum_less_that_of_equal_spins():
    model = pk.CompleteIsing(0.7, spins=5)
    spins = 2 * pk.exact.states(model.graph().variables)["x"] - 1
    sums = (spins.sum(1) ** 2 - 5) / 2  # over the pairs of different spins
    np.testing.assert_allclose(pk.exact.log_weights(model), 0.7 * (sums - 10), atol=1e-5)
    mean = (pk.exact.probabilities(model) * sums).sum()
    np.testing.assert_allclose(pk.exact.moments(model).coupling, mean - 10, atol=1e-5)
