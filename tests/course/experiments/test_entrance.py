"""What pages 00 and 01 compute for their figures: chains of the digit model, and a sum over all states."""

import jax
import numpy as np
import pytest
from explorers import small_digits

import pmp_kit as pk
from pmp_kit.course.experiments import digits, energies


@pytest.mark.slow
def test_chains_start_at_their_digits_and_move():
    given = small_digits()
    starts = given["digits"][:2]
    images = digits.chains(jax.random.key(0), given["model"], starts, sweeps=6, every=2)
    assert images.shape == (4, *starts.shape)
    assert (images[0] == starts).all()
    assert (images[-1] != starts).any()
    assert np.isin(images, (0, 1)).all()


@pytest.mark.parametrize("spins", [1, 3, 5])
def test_the_sum_is_that_of_the_kit(spins):
    draw = np.random.default_rng(spins)
    coupling = np.triu(draw.normal(0, 1, (spins, spins)), 1)
    coupling = coupling + coupling.T
    weight, bias, offset = pk.spins_to_binary(coupling, np.zeros(spins))
    expected = float(pk.exact.log_partition(pk.Ising(weight, bias)) + offset)
    assert abs(energies.log_partition(coupling) - expected) < 1e-4
