"""Samplers on hard constraints: they leave impossible states, and keep the evidence."""

import jax
import numpy as np
import pytest
from sampler_examples import CHAINS, each_slowly
from slow_parameters import some

import pmp_kit as pk

KEY = jax.random.key(0)


def three_of_ten(scale=0.0):
    unaries = scale * np.random.default_rng(0).normal(size=10)
    return pk.FactorGraph(pk.Variables(x=pk.Binary(10)), [pk.ExactlyK(np.arange(10), k=3)], {"x": unaries})


def forbidden_states():
    """States, pairs of states and a parity that are impossible; unequal numbers of states."""
    variables = pk.Variables(x=pk.Categorical(3, states=3), y=pk.Binary(2))
    table = np.array([[0.0, -np.inf, 1.0], [0.5, 0.0, -np.inf], [0.0, 0.3, 0.0]])
    unaries = {"x": np.array([[-np.inf, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, -np.inf, 0.0]])}
    factors = [pk.EdgeTables([[0, 1], [1, 2]], table), pk.Parity(variables["y"], odd=True)]
    return pk.FactorGraph(variables, factors, unaries)


@each_slowly(CHAINS)
@pytest.mark.parametrize("scale", [0.0, 1e6])
def test_chains_find_possible_states_at_any_scale(example, scale):
    model = three_of_ten(scale)
    samples = pk.sample(KEY, model, example.make(model), num_samples=200, num_sweeps=100)
    assert np.isfinite(pk.score(model, samples)).mean() > 0.98


def two_changes_away(states):
    """Two variables of which only the states (top, 1) and (top, top) are possible."""
    table = np.full((states, states), -np.inf)
    table[-1, 1:] = 0.0
    variables = pk.Variables(x=pk.Categorical(2, states=states) if states > 2 else pk.Binary(2))
    return pk.FactorGraph(variables, [pk.EdgeTables([[0, 1]], table)])


@pytest.mark.parametrize("states", some([2, 3, 4], {"2"}))
@pytest.mark.parametrize("name", ["Gibbs", "random-scan Gibbs", "Gibbs-with-gradients", "discrete Langevin"])
def test_chains_cross_impossible_states_with_equally_many_violations(name, states):
    """From most of the states, no single change removes the violation."""
    model, (example,) = two_changes_away(states), [one for one in CHAINS if one.name == name]
    samples = pk.sample(KEY, model, example.make(model), num_samples=200, num_sweeps=300)
    assert np.isfinite(pk.score(model, samples)).mean() > 0.99


@each_slowly(CHAINS)
def test_forbidden_states_are_left_and_evidence_is_kept(example):
    model = forbidden_states()
    known = {"x": np.array([pk.FREE, 2, pk.FREE]), "y": np.array([1, pk.FREE])}
    samples = pk.sample(KEY, model, example.make(model), num_samples=100, num_sweeps=100, evidence=known)
    assert (samples["x"][:, 1] == 2).all()
    assert (samples["y"] == [1, 0]).all()
    assert np.isfinite(pk.score(model, samples)).all()


# --- chains that go on
