"""tune_ladder: equal swap rates, from the given number of temperatures to the given highest one."""

import jax
import numpy as np
import pytest

import pmp_kit as pk

KEY = jax.random.key(0)
MODEL = pk.ising_lattice(4, coupling=0.5, bias=0.05)
GIBBS = pk.Gibbs(pk.colours(MODEL))


def test_neighbours_of_a_tuned_ladder_exchange_their_states_equally_often():
    ladder = pk.tune_ladder(KEY, MODEL, GIBBS)
    seen = pk.measures.tempering(jax.random.key(1), MODEL, ladder)
    assert seen.temperatures[0] == 1.0
    assert seen.temperatures[-1] == np.inf
    assert np.ptp(seen.swap_rates) < 0.1
    assert seen.swap_rates.mean() == pytest.approx(0.5, abs=0.1)
    again = pk.sample(KEY, MODEL, ladder, num_samples=16, num_sweeps=1, previous=seen.chains)
    assert again["x"].shape == (16, 4, 4)


def test_the_number_and_the_highest_of_the_temperatures_can_be_given():
    ladder = pk.tune_ladder(KEY, MODEL, GIBBS, num_temperatures=3, highest=4.0, num_sweeps=400)
    seen = pk.measures.tempering(jax.random.key(1), MODEL, ladder)
    np.testing.assert_allclose(seen.temperatures[[0, -1]], [1.0, 4.0], rtol=1e-6)
    assert seen.temperatures.size == 3
    assert np.ptp(seen.swap_rates) < 0.1
    assert seen.log_partition is None


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"sampler": pk.PMP()}, TypeError, r"sampler: expected Chain such as Gibbs\(\)"),
        ({"num_temperatures": 1}, ValueError, "num_temperatures: expected at least 2, got 1"),
        ({"highest": 1.0}, ValueError, r"highest: expected a number in \[1.001"),
        ({"num_sweeps": 10}, ValueError, "num_sweeps: expected at least 80, got 10"),
    ],
)
def test_wrong_arguments_are_named(settings, error, text):
    with pytest.raises(error, match=text):
        pk.tune_ladder(KEY, MODEL, **settings)
