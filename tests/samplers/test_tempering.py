"""Parallel tempering: any chain inside, and barriers that a single chain does not cross."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square, small_ising

import pmp_kit as pk

KEY = jax.random.key(0)
CHAINS = pk.GibbsWithGradients(), pk.RandomScanGibbs(), pk.DiscreteLangevin(1.0)


@pytest.mark.parametrize("inner", CHAINS, ids=lambda chain: type(chain).__name__)
@pytest.mark.slow
def test_tempering_takes_any_chain(inner):
    model = small_ising()
    sampler = pk.ParallelTempering((1.0, 2.0), inner)
    samples = pk.sample(KEY, model, sampler, num_samples=3_000, num_sweeps=60)
    assert chi_square(model, samples) > FALSE_ALARM


@pytest.mark.slow
def test_tempering_crosses_a_barrier_that_gibbs_does_not():
    """A strong ferromagnet with all spins up at the start: half of the samples belong down."""
    model = pk.ising_lattice(4, coupling=0.7)
    up = jnp.ones((300, 1, 16))
    gibbs = pk.sample(KEY, model, pk.Gibbs(), num_samples=300, num_sweeps=100, previous=up)
    temperatures = np.geomspace(1, 4, 6)
    tempered = pk.sample(
        KEY, model, pk.ParallelTempering(temperatures), num_samples=300, num_sweeps=100,
        previous=jnp.ones((300, 6, 1, 16)),
    )  # fmt: skip
    down = [(samples["x"].mean((1, 2)) < 0.5).mean() for samples in (gibbs, tempered)]
    assert down[0] < 0.1
    assert down[1] == pytest.approx(0.5, abs=0.15)
