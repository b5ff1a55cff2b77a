"""Measures of chains: effective sample size, standard error of a mean, R-hat."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit import measures

KEY = jax.random.key(0)


def autoregressive(phi, draws, chains, seed=0):
    rng = np.random.default_rng(seed)
    x = np.zeros((draws, chains))
    x[0] = rng.normal(size=chains)
    for t in range(1, draws):
        x[t] = phi * x[t - 1] + np.sqrt(1 - phi**2) * rng.normal(size=chains)
    return x


@pytest.mark.parametrize("phi", [0.5, -0.4])
def test_effective_sample_size_of_an_autoregression(phi):
    """T (1 - phi) / (1 + phi) for AR(1), in closed form."""
    size = measures.effective_sample_size(autoregressive(phi, 20_000, 4))
    assert size == pytest.approx(80_000 * (1 - phi) / (1 + phi), rel=0.12)


def test_r_hat_sees_chains_that_disagree_drift_or_spread_differently():
    mixed = autoregressive(0.5, 2000, 4)
    assert measures.r_hat(mixed) < 1.01
    assert measures.r_hat(mixed + np.arange(4)) > 1.2
    assert measures.r_hat(mixed + np.linspace(0, 3, 2000)[:, None]) > 1.2
    assert measures.r_hat(mixed * [1, 1, 1, 5]) > 1.05  # the same mean: only the folded ranks see it
    assert measures.effective_sample_size(mixed + np.arange(4)) < 40


@pytest.mark.parametrize("shape", [(9, 2), (50, 4), (501, 8)])
def test_chain_measures_are_those_of_arviz(shape):
    array_stats = pytest.importorskip("arviz_stats.base.array").array_stats
    draws, chains = shape
    for seed, phi in enumerate((-0.7, 0.0, 0.95)):
        smooth = autoregressive(phi, draws, chains, seed)
        for values in (smooth, (smooth > np.median(smooth)).astype(float), np.round(smooth) + np.arange(chains)):
            for measure, name in (("r_hat", "rhat"), ("effective_sample_size", "ess"), ("mcse", "mcse")):
                with np.errstate(invalid="ignore", divide="ignore"):  # folded binary values may all be the same
                    wanted = getattr(array_stats, name)(values, chain_axis=1, draw_axis=0)
                np.testing.assert_allclose(getattr(measures, measure)(values), wanted, rtol=1e-9)


def test_chains_that_stay_in_different_states_have_an_infinite_r_hat():
    values = np.tile([0.0, 1.0, 1.0, 0.0], (20, 1))
    assert measures.r_hat(values) == np.inf
    assert measures.effective_sample_size(values) < 8


def test_shapes_of_chain_measures():
    values = np.stack([autoregressive(0.3, 100, 3, seed) for seed in range(4)], -1).reshape(100, 3, 2, 2)
    values[..., 1, 1] = 7.0  # never moves
    for measure in (measures.effective_sample_size, measures.r_hat, measures.mcse):
        got = measure(values)
        assert got.shape == (2, 2)
        assert np.isnan(got[1, 1])
        assert got[0, 1] == pytest.approx(measure(values[..., 0, 1]), rel=1e-13)


def test_a_trace_or_a_dict_in_place_of_one_block_is_refused():
    seen = pk.trace(KEY, pk.CompleteIsing(0.4), pk.Gibbs(), num_sweeps=9, num_samples=2)
    for measure in (measures.effective_sample_size, measures.r_hat, measures.mcse):
        with pytest.raises(TypeError, match=r"values: .*, got Trace; pass one block .* \.values\[.x.\]"):
            measure(seen)
        with pytest.raises(TypeError, match=r"values: expected an array .*, got dict; pass one block .* \[.x.\]"):
            measure(seen.values)
