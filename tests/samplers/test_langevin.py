"""Discrete Langevin: what its step size does."""

import jax
import jax.numpy as jnp

import pmp_kit as pk

KEY = jax.random.key(0)


def test_langevin_moves_more_variables_with_larger_steps():
    model = pk.ising_lattice(6, coupling=0.05)
    start = jnp.ones((100, 1, 36))
    moved = []
    for step_size in (0.05, 0.1, 0.2):
        sampler = pk.DiscreteLangevin(step_size)
        x = pk.sample(KEY, model, sampler, num_samples=100, num_sweeps=1, previous=start)["x"]
        moved.append((x == 0).mean())
    assert moved[0] < 0.001 < moved[1] < moved[2]
