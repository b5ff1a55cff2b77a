"""Pseudo-likelihood: its definition, its derivative, and what it learns."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from small_models import exact_samples, falling, ising, small_rbm

import pmp_kit as pk

KEY = jax.random.key(0)


def mixed_graph():
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(2))
    rng = np.random.default_rng(1)
    factors = [
        pk.EdgeTables([[0, 1]], rng.normal(size=(1, 3, 3))),
        pk.EdgeTables([[1, 2], [0, 3]], rng.normal(size=(3, 2))),
    ]
    return pk.FactorGraph(variables, factors, rng.normal(size=(4, 3)))


@pytest.mark.parametrize("model", [ising(), mixed_graph(), small_rbm()], ids=["Ising", "mixed", "RBM"])
def test_pseudo_likelihood_is_that_of_the_joint_table(model):
    """p(x_i | others) from all joint probabilities, the definition written out."""
    variables = model.graph().variables
    every = {name: np.asarray(x) for name, x in pk.exact.states(variables).items()}
    p = np.asarray(pk.exact.probabilities(model), float).reshape(variables.cardinalities)
    total = np.zeros(p.shape)
    for axis in range(p.ndim):
        total += np.log(p / p.sum(axis=axis, keepdims=True))
    some = np.random.default_rng(0).choice(p.size, 5)  # averaged over all states, an error of sign would cancel
    rows = {name: x[some] for name, x in every.items()}
    assert pk.log_pseudo_likelihood(model, rows) == pytest.approx(total.reshape(-1)[some].mean(), rel=1e-5)


def test_pseudo_likelihood_is_differentiated_inside_jit():
    """Its derivative along a direction is a difference quotient; outside of `jit` it has the same value."""
    model, rng = mixed_graph(), np.random.default_rng(3)
    rows = {"x": rng.integers(0, 3, (9, 2)), "y": rng.integers(0, 2, (9, 2))}
    value, gradient = eqx.filter_jit(eqx.filter_value_and_grad(pk.log_pseudo_likelihood))(model, rows)
    assert value == pytest.approx(pk.log_pseudo_likelihood(model, rows), abs=1e-6)
    table = model.factors[0].table

    def moved(step):
        return eqx.tree_at(lambda m: m.factors[0].table, model, table + step * jnp.ones_like(table) * jnp.arange(3.0))

    slope = (pk.log_pseudo_likelihood(moved(0.05), rows) - pk.log_pseudo_likelihood(moved(-0.05), rows)) / 0.1
    assert jnp.sum(gradient.factors[0].table * jnp.arange(3.0)) == pytest.approx(slope, abs=1e-3)


def test_pseudo_likelihood_finds_the_model():
    truth = ising(scale=0.7)
    data = exact_samples(truth, 20_000)
    start = pk.Ising(np.zeros((5, 5)), np.zeros(5))
    result = pk.fit_pseudo_likelihood(KEY, start, data, batch_size=2000, **falling(0.1, 200))
    np.testing.assert_allclose(result.model.weight, truth.weight, atol=0.2)
    np.testing.assert_allclose(result.model.bias, truth.bias, atol=0.2)
    np.testing.assert_array_equal(result.model.weight, result.model.weight.T)
    assert pk.log_pseudo_likelihood(result.model, data) >= pk.log_pseudo_likelihood(truth, data) - 1e-3
