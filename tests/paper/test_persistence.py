"""Appendix A: noise that changes slowly stays noise, and warm messages need fewer sweeps."""

import jax.numpy as jnp
import numpy as np
import pytest
from persistent_chain import SIDE, gumbel_correlation, latent_chain, sweeps_to, warm_and_cold_scores
from sampler_examples import FALSE_ALARM
from scipy import stats

from pmp_kit import noise

MARGINALS = {
    "normal": (lambda x: x, "norm", ()),
    "Gumbel": (noise.gumbel_of_normal, "gumbel_r", (-np.euler_gamma, 1)),
    "logistic": (noise.logistic_of_normal, "logistic", ()),
}


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_stationary_noise(row, rho):
    """Kolmogorov-Smirnov at the first, second and last of 60 steps; correlations within five standard errors."""
    normals = latent_chain(rho, 60)
    for name, (push, family, arguments) in MARGINALS.items():
        pushed = [np.asarray(push(jnp.asarray(normals[step].reshape(-1)))) for step in (0, 1, 59)]
        smallest = np.min([stats.kstest(values, family, args=arguments).pvalue for values in pushed])
        row(f"A rho = {rho}: {name} noise, smallest p-value (KS)", (FALSE_ALARM, 1.0), smallest)
    for lag in (1, 2, 5, 20):
        expected = rho ** (lag / 2)
        measured = np.corrcoef(normals[0].reshape(-1), normals[lag].reshape(-1))[0, 1]
        error = (1 - expected**2) / np.sqrt(normals[0].size)
        row(f"A rho = {rho}: correlation of the normals at lag {lag}", expected, measured, 5 * error)


def test_gumbels_are_a_little_less_correlated(row):
    normals = latent_chain(0.5, 2, copies=4000)
    gumbels = np.asarray(noise.gumbel_of_normal(jnp.asarray(normals))).reshape(2, -1)
    row("A rho = 0.5: correlation of the Gumbels at lag 1, by quadrature", 0.694, gumbel_correlation(0.5**0.5), 0.0005)
    row("A rho = 0.5: correlation of the Gumbels at lag 1, of samples", 0.694, np.corrcoef(gumbels)[0, 1], 0.006)


def test_warm_messages_reach_the_same_score_sooner(row):
    warm, cold = warm_and_cold_scores()
    target = cold[-1] - 0.01 * SIDE**2
    row("A rho = 0.98: warm minus cold score after 40 sweeps", 0.0, float(warm[-1] - cold[-1]), 0.5)
    row(
        "A rho = 0.98: sweeps to that score, warm over cold",
        (0.0, 0.5),
        sweeps_to(warm, target) / sweeps_to(cold, target),
    )
