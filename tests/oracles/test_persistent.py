"""Persistent PMP (Appendix A): stationarity, correlation, marginals, warm against cold starts.

The latent chain is run for many independent copies; bounds are five standard errors at a fixed key.
"""

import jax
import numpy as np
import pytest
from persistent_chain import KEY, SIDE, graph, gumbel_correlation, latent_chain, sweeps_to, warm_and_cold_scores
from sampler_examples import FALSE_ALARM
from scipy import stats

import pmp_kit as pk
from pmp_kit import noise

gumbel_of_normal, logistic_of_normal = jax.jit(noise.gumbel_of_normal), jax.jit(noise.logistic_of_normal)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_the_noise_is_stationary(rho):
    """Normal, Gumbel and logistic marginals by Kolmogorov-Smirnov, before the first and after many steps."""
    normals = latent_chain(rho)
    for step in (0, 1, 59):
        latent = normals[step].reshape(-1)
        assert stats.kstest(latent, "norm").pvalue > FALSE_ALARM
        gumbel = np.asarray(gumbel_of_normal(latent))
        assert stats.kstest(gumbel, "gumbel_r", args=(-np.euler_gamma, 1)).pvalue > FALSE_ALARM
        logistic = np.asarray(logistic_of_normal(latent))
        assert stats.kstest(logistic, "logistic").pvalue > FALSE_ALARM


@pytest.mark.parametrize("rho", [0.5, 0.9])
def test_correlation_falls_as_rho_to_the_half_lag(rho):
    normals = latent_chain(rho)
    for lag in (1, 2, 5, 20):
        expected = rho ** (lag / 2)
        measured = np.corrcoef(normals[0].reshape(-1), normals[lag].reshape(-1))[0, 1]
        assert abs(measured - expected) < 5 * (1 - expected**2) / np.sqrt(normals[0].size)


def test_gumbels_are_a_little_less_correlated():
    """0.694 against 0.707 at rho = 0.5, one step."""
    normals = latent_chain(0.5, 2, copies=4000)
    gumbels = np.asarray(gumbel_of_normal(normals)).reshape(2, -1)
    measured = np.corrcoef(gumbels)[0, 1]
    expected = gumbel_correlation(np.sqrt(0.5))
    assert expected == pytest.approx(0.694, abs=0.0005)
    assert abs(measured - expected) < 0.006
    assert measured < np.sqrt(0.5) - 0.006


def test_noise_that_stays_keeps_the_samples_and_new_noise_forgets_them():
    model, options = graph(), {"num_samples": 20, "num_sweeps": 100}
    for rho, same in ((1.0, True), (0.0, False)):
        first = pk.sample(KEY, model, pk.PersistentPMP(rho), **options)
        then = pk.sample(jax.random.key(1), model, pk.PersistentPMP(rho), previous=first.chains, **options)
        agree = (first["x"] == then["x"]).mean()
        assert agree > 0.99 if same else abs(agree - 0.5) < 0.1


def test_warm_messages_need_fewer_sweeps_to_the_same_score():
    """Perturbed score (minus energy) along the sweeps of one call, from the last messages and from neutral ones."""
    warm_scores, cold_scores = warm_and_cold_scores()
    target = cold_scores[-1] - 0.01 * SIDE**2
    assert sweeps_to(warm_scores, target) * 2 <= sweeps_to(cold_scores, target)
    assert warm_scores[-1] == pytest.approx(cold_scores[-1], abs=0.5)
