"""Noise families: what each promises, alone and inside samplers."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square
from scipy import stats
from slow_parameters import some
from small_models import chain

import pmp_kit as pk
from pmp_kit import noise
from pmp_kit.samplers.chain import softmax_noise

KEY = jax.random.key(0)


@pytest.mark.parametrize("planes", [1, 3])
def test_stratified_noise_has_one_draw_in_each_stratum(planes):
    noise = np.asarray(pk.StratifiedGumbel().draw_together(KEY, (planes, 4, 50), np.float32))
    uniform = 1 / (1 + np.exp(-noise)) if planes == 1 else np.exp(-np.exp(-(noise + np.euler_gamma)))
    places = np.sort(50 * uniform, axis=-1)
    assert (np.abs(places - (np.arange(50) + 0.5)) <= 0.5 + 1e-3).all()  # 1e-3 for rounding
    correlation = np.corrcoef(noise.reshape(-1, 50))
    assert np.abs(correlation - np.eye(len(correlation))).max() < 0.6  # variables are ordered independently


@pytest.mark.slow
def test_stratified_samples_follow_the_same_distribution():
    model = chain()
    sampler = pk.PMP(noise=pk.StratifiedGumbel())
    x = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=20)["x"]
    y = pk.sample(KEY, model, pk.PMP(), num_samples=20_000, num_sweeps=20)["x"]
    np.testing.assert_allclose(x.T @ x / 20_000, y.T @ y / 20_000, atol=0.02)


def test_persistent_noise_is_finite_and_exact_in_the_tails():
    """In float32 the normal's distribution function is 1 above 5.3; its logarithm is not 0, nor rough below that."""
    gamma = np.append(np.linspace(-7, 7, 57), [-12.0, 12.0])
    log_cdf, log_rest = stats.norm.logcdf(gamma), stats.norm.logsf(gamma)
    gumbel = noise.gumbel_of_normal(jnp.asarray(gamma, jnp.float32))
    np.testing.assert_allclose(gumbel, -np.euler_gamma - np.log(-log_cdf), rtol=2e-6, atol=2e-6)
    logistic = noise.logistic_of_normal(jnp.asarray(gamma, jnp.float32))
    np.testing.assert_allclose(logistic, log_cdf - log_rest, rtol=2e-6, atol=2e-6)


@pytest.mark.slow
def test_reversed_gumbel_noise_is_exact_for_two_states_and_wrong_for_three():
    for states, exact in ((2, True), (3, False)):
        scores = np.array([[2.0, 0.0, 0.0]])[:, :states]
        model = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=states)), unaries=scores)
        sampler = pk.PerturbAndMAP(pk.Exhaustive(), pk.ReversedGumbel())
        samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=1)
        assert (chi_square(model, samples) > FALSE_ALARM) == exact


def noise_of_chains(key, shape, dtype):
    return softmax_noise(key[None], jnp.zeros((1, *shape, 1), dtype))


@pytest.mark.parametrize("draw", [pk.Gumbel().draw_log_odds, pk.ReversedGumbel().draw_log_odds, noise_of_chains])
def test_no_number_draws_a_state_of_a_very_small_probability(draw):
    """JAX draws the uniform number 0 four times with this key, from which its logistic noise is -87."""
    largest = jax.jit(lambda key: jnp.abs(draw(key, (2**24,), jnp.float32)).max())(jax.random.key(1))
    assert 15.0 < largest < 17.0


@pytest.mark.slow
@pytest.mark.parametrize("kappa", [1, 3])
def test_sums_of_gammas_add_up_to_gumbels(kappa):
    """The sum of kappa draws of scale 1 / sqrt(kappa) is Gumbel noise; a single one is not."""
    family = pk.SumOfGamma(kappa**-0.5, kappa=kappa)
    draws = np.asarray(family.draw(KEY, (kappa, 20_000), jnp.float32))
    assert stats.kstest(draws.sum(0), "gumbel_r", args=(-np.euler_gamma, 1)).pvalue > FALSE_ALARM
    single = stats.kstest(np.sqrt(kappa) * draws[0], "gumbel_r", args=(-np.euler_gamma, 1)).pvalue
    assert (single > FALSE_ALARM) == (kappa == 1)


PUBLIC = [kind for kind in map(vars(pk).get, pk.__all__) if isinstance(kind, type)]
FAMILIES = {kind.__name__: kind for kind in PUBLIC if issubclass(kind, noise.AbstractNoise)}
"""All that the library exports, so that a new family is tested. It must work with a scale alone."""
FAMILIES["SumOfGamma"] = partial(pk.SumOfGamma, terms=3)  # each costs a draw of a gamma, which takes long
OF_NORMALS = [name for name in FAMILIES if getattr(pk, name).of_normals is not noise.AbstractNoise.of_normals]


@pytest.mark.parametrize("name", some(FAMILIES, FAMILIES.keys() - {"SumOfGamma"}))
def test_noise_has_mean_zero_and_the_variance_of_a_gumbel(name):
    noise = FAMILIES[name]
    draws = np.asarray(noise(scale=2.0).draw(KEY, (50_000,), jnp.float32))
    assert abs(draws.mean()) < 4 * draws.std() / np.sqrt(draws.size)
    assert draws.var() == pytest.approx(4 * np.pi**2 / 6, rel=0.04)
    odds = np.asarray(noise(scale=2.0).draw_log_odds(KEY, (50_000,), jnp.float32))
    assert odds.var() == pytest.approx(8 * np.pi**2 / 6, rel=0.04)


@pytest.mark.parametrize("name", OF_NORMALS)
@pytest.mark.parametrize("states", [2, 3])
def test_noise_of_normals_has_the_distribution_of_draws(name, states):
    """Two-sample Kolmogorov-Smirnov at a fixed key; mean zero and the scale as well."""
    family, shape = FAMILIES[name](1.7), (20_000,)
    normals = jax.random.normal(KEY, shape)
    made = family.log_odds_of_normals(normals) if states == 2 else family.of_normals(normals)
    drawn = (family.draw_log_odds if states == 2 else family.draw)(jax.random.key(1), shape)
    assert stats.ks_2samp(np.asarray(made), np.asarray(drawn)).pvalue > FALSE_ALARM
    assert np.isfinite(family.log_odds_of_normals(jnp.array([-6.0, -0.0, 0.0, 6.0]))).all()
