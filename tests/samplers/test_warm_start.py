"""Chains that start at samples of PMP."""

import jax
import numpy as np
from sampler_examples import small_ising

import pmp_kit as pk

KEY = jax.random.key(0)


def test_without_sweeps_the_states_are_samples_of_the_start():
    """Flips of single variables do not pay in PMP's samples of a ferromagnet, but do in random states."""
    model = pk.ising_lattice(8, coupling=0.6, bias=0.02)
    started = pk.sample(KEY, model, pk.WarmStart(), num_samples=50, num_sweeps=0)
    of_start = pk.sample(KEY, model, pk.PMP(), num_samples=50, num_sweeps=50)
    random = pk.sample(KEY, model, pk.Gibbs(), num_samples=50, num_sweeps=0)
    mean = [pk.score(model, states).mean() for states in (started, of_start, random)]
    assert abs(mean[0] - mean[1]) < 5.0
    assert mean[0] - mean[2] > 40.0


def test_a_sweep_brings_samples_of_pmp_closer_to_the_model():
    model, number = small_ising(1.0), 8000
    exact = np.asarray(pk.exact.probabilities(model))

    def distance(sampler, num_sweeps):
        drawn = pk.sample(KEY, model, sampler, num_samples=number, num_sweeps=num_sweeps)
        counts = np.bincount(pk.exact.index_of(model.graph().variables, drawn), minlength=exact.size)
        return 0.5 * np.abs(counts / number - exact).sum()

    warm, pmp, gibbs = distance(pk.WarmStart(), 1), distance(pk.PMP(), 50), distance(pk.Gibbs(), 1)
    assert warm < 0.7 * pmp
    assert warm < 0.7 * gibbs


def test_chains_go_on_without_a_new_start():
    model = small_ising()
    first = pk.sample(KEY, model, pk.WarmStart(), num_samples=5, num_sweeps=3)
    again = pk.sample(KEY, model, pk.WarmStart(), num_samples=5, num_sweeps=0, previous=first.chains)
    np.testing.assert_array_equal(again["x"], first["x"])
