"""Cavities: marginals of perturb-and-MAP without the noise of single decoded states."""

import jax
import numpy as np
import pytest
from small_models import chain, weak

import pmp_kit as pk
from pmp_kit import measures

KEY = jax.random.key(0)


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.slow
def test_cavities_and_decoded_states_have_the_same_mean_on_a_chain(states):
    model = chain(states=states)
    p = measures.cavity_marginals(KEY, model, num_samples=4000, num_sweeps=30)
    x = pk.sample(jax.random.key(1), model, pk.PerturbAndMAP(pk.Exhaustive()), num_samples=20_000, num_sweeps=0)["x"]
    assert p.values["x"].shape == (6, states)
    np.testing.assert_allclose(p.values["x"].sum(-1), 1.0, atol=1e-5)
    for c in range(states):
        np.testing.assert_allclose(p.values["x"][:, c], (x == c).mean(0), atol=0.02)


def variance_ratio(model, samples=50, runs=40):
    """Variance of estimated marginals over runs: decoded states against cavities; and the difference of their means."""
    decoded, cavity = [], []
    for seed in range(runs):
        key = jax.random.key(seed)
        decoded.append(pk.sample(key, model, pk.PMP(), num_samples=samples, num_sweeps=30)["x"].mean(0))
        cavity.append(measures.cavity_marginals(key, model, num_samples=samples, num_sweeps=30).values["x"][..., 1])
    gap = np.abs(np.mean(decoded, 0) - np.mean(cavity, 0)).max()
    return np.var(decoded, 0).sum() / np.var(cavity, 0).sum(), gap


@pytest.mark.slow
def test_cavities_have_less_variance():
    """Measured: 20 times less on a chain, 25 times on a weakly coupled weak model; the same means."""
    on_chain, gap = variance_ratio(chain())
    assert on_chain > 8.0
    assert gap < 0.03
    on_dense, gap = variance_ratio(weak())
    assert on_dense > 10.0
    assert gap < 0.03


def test_cavities_of_independent_variables_are_exact_with_any_scale():
    """Each marginal is softmax(unaries / scale) in every sample: no spread at all."""
    bias = np.linspace(-2, 2, 5)
    model = pk.Ising(np.zeros((5, 5)), bias)
    for scale in (1.0, 2.0):
        p = measures.cavity_marginals(KEY, model, pk.PMP(noise=pk.Gumbel(scale)), num_samples=3, num_sweeps=2)
        np.testing.assert_allclose(p.values["x"][:, 1], 1 / (1 + np.exp(-bias / scale)), rtol=1e-5)
        np.testing.assert_allclose(p.errors["x"], 0.0, atol=1e-6)


@pytest.mark.slow
def test_errors_of_cavities_are_their_spread():
    runs = [measures.cavity_marginals(jax.random.key(s), chain(), num_samples=50, num_sweeps=20) for s in range(40)]
    spread = np.std([run.values["x"][:, 1] for run in runs], 0)
    np.testing.assert_allclose(spread.mean(), np.mean([run.errors["x"][:, 1] for run in runs]), rtol=0.2)


def test_cavities_respect_evidence_and_auxiliary_variables():
    variables = pk.Variables(x=pk.Binary(2), copy=pk.Binary(1, auxiliary=True))
    graph = pk.FactorGraph(variables, [pk.Edges([[0, 2]], 20.0)], {"copy": [-10.0]})  # copy = x[0]
    p = measures.cavity_marginals(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    np.testing.assert_allclose(p.values["x"][1], [0.0, 1.0])
    x = pk.sample(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    assert p.values["copy"][0, 1] == pytest.approx(x["copy"].mean())
    assert p.errors["copy"][0, 1] == pytest.approx(x["copy"].std() / 20, rel=0.05)
