"""Cavities: marginals of perturb-and-MAP without the noise of single decoded states."""

import jax
import numpy as np
import pytest
from small_models import chain

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


def test_cavities_of_independent_variables_are_exact_with_any_scale():
    """Each marginal is softmax(unaries / scale) in every sample: no spread at all."""
    bias = np.linspace(-2, 2, 5)
    model = pk.Ising(np.zeros((5, 5)), bias)
    for scale in (1.0, 2.0):
        p = measures.cavity_marginals(KEY, model, pk.PMP(noise=pk.Gumbel(scale)), num_samples=3, num_sweeps=2)
        np.testing.assert_allclose(p.values["x"][:, 1], 1 / (1 + np.exp(-bias / scale)), rtol=1e-5)
        np.testing.assert_allclose(p.errors["x"], 0.0, atol=1e-6)


def test_cavities_respect_evidence_and_auxiliary_variables():
    variables = pk.Variables(x=pk.Binary(2), copy=pk.Binary(1, auxiliary=True))
    graph = pk.FactorGraph(variables, [pk.Edges([[0, 2]], 20.0)], {"copy": [-10.0]})  # copy = x[0]
    p = measures.cavity_marginals(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    np.testing.assert_allclose(p.values["x"][1], [0.0, 1.0])
    x = pk.sample(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    assert p.values["copy"][0, 1] == pytest.approx(x["copy"].mean())
    assert p.errors["copy"][0, 1] == pytest.approx(x["copy"].std() / 20, rel=0.05)
