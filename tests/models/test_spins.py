"""The remedy that the error for a coupling matrix names, tried on a matrix that has each pair once."""

import numpy as np
import pytest

import pmp_kit as pk

ONCE = np.triu(np.full((3, 3), 0.5), 1)  # three spins, each pair once
IDS = np.arange(6).reshape(2, 3)


def advised(name, given, make):
    """Return what the error for a wrong matrix advises."""
    with pytest.raises(ValueError, match=f"{name}: expected a symmetric matrix") as error:
        make(given)
    return eval(str(error.value).rpartition("use ")[2], {name: given})


@pytest.mark.parametrize(
    ("given", "make"),
    [
        (ONCE.T, lambda weight: pk.binary_to_spins(weight, 0.0)),
        (ONCE, lambda weight: pk.Ising(weight, np.zeros(3))),
        (ONCE, lambda weight: pk.DensePairwise(IDS[0], weight)),
        (np.stack([ONCE + ONCE.T, ONCE]), lambda weight: pk.DensePairwise(IDS, weight)),
    ],
)
def test_each_pair_of_a_triangular_matrix_counts_once(given, make):
    np.testing.assert_array_equal(advised("weight", given, make), ONCE + ONCE.T)


def test_three_spins_agree_with_the_right_probability():
    coupling = advised("coupling", ONCE, lambda coupling: pk.spins_to_binary(coupling, 0.0))
    weight, bias, _ = pk.spins_to_binary(coupling, 0.0)
    p = pk.exact.probabilities(pk.Ising(weight, bias))
    assert p[0] + p[-1] == pytest.approx(np.exp(1.5) / (np.exp(1.5) + 3 * np.exp(-0.5)), abs=1e-5)
    assert p[0] + p[-1] == pytest.approx(0.711, abs=5e-4)
