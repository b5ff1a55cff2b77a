"""Shared parameters are learned once, and forbidden states are no parameters."""

import equinox as eqx
import jax
import numpy as np
import optax
import pytest
from slow_parameters import some

import pmp_kit as pk

KEY = jax.random.key(0)


SHARED = {
    "Edges": (lambda p: pk.Edges([[0, 1], [1, 2], [2, 3]], p), 0.5, 2),
    "Potts": (lambda p: pk.Potts([[0, 1], [1, 2], [2, 3]], p, states=3), 0.5, 3),
    "EdgeTables": (lambda p: pk.EdgeTables([[0, 1], [1, 2], [2, 3]], p), np.eye(3), 3),
    "NWise": (lambda p: pk.NWise([[0, 1, 2], [1, 2, 3]], p), np.arange(8.0).reshape(2, 2, 2) / 8, 2),
    "CountPotential": (lambda p: pk.CountPotential([[0, 1, 2], [1, 2, 3]], p), np.array([0.0, 0.5, 0.2, 1.0]), 2),
}


@pytest.mark.parametrize("name", some(SHARED, {"Edges", "NWise"}))
def test_what_is_given_once_is_learned_as_one_parameter(name):
    """The gradient of a shared parameter is the sum over its uses, and `fit` returns the parameter once."""
    make, value, states = SHARED[name]
    number = 2 if name in ("NWise", "CountPotential") else 3
    variables = pk.Variables(x=pk.Categorical(4, states=states))
    copies = np.broadcast_to(value, (number, *np.shape(value)))
    shared, separate = (pk.FactorGraph(variables, [make(p)]) for p in (value, copies))
    data = {"x": np.random.default_rng(0).integers(0, states, (50, 4))}
    one, many = (jax.tree.leaves(pk.data_moments(graph, data).factors)[0] for graph in (shared, separate))
    assert one.shape == np.shape(value)
    np.testing.assert_allclose(one, np.asarray(many).sum(0), rtol=1e-5)
    options = {"steps": 3, "num_sweeps": 5, "batch_size": 10, "optimizer": optax.sgd(0.1)}
    learned = pk.fit(KEY, shared, data, pk.Gibbs(), **options).model.factors[0]
    (parameter,) = jax.tree.leaves(eqx.filter(learned, eqx.is_inexact_array))
    assert parameter.shape == np.shape(value)
    assert not np.allclose(parameter, value)


FORBIDDEN = np.array([[0.0, -np.inf, 1.0], [0.5, 0.0, -np.inf], [-np.inf, 2.0, 0.0]])


def forbidding_chain():
    """A chain of three states with forbidden transitions and one forbidden state."""
    variables = pk.Variables(x=pk.Categorical(5, states=3))
    unaries = np.random.default_rng(0).normal(size=(5, 3))
    unaries[2, 0] = -np.inf
    pairs = np.stack([np.arange(4), np.arange(1, 5)], 1)
    return pk.FactorGraph(variables, [pk.EdgeTables(pairs, FORBIDDEN)], {"x": unaries})


def allowed(x):
    """Whether chains (N, 5) take no forbidden transition and no forbidden state."""
    return np.isfinite(FORBIDDEN[x[:, :-1], x[:, 1:]]).all(1) & (x[:, 2] != 0)


@pytest.mark.parametrize("sampler", [pk.PMP(), pk.Gibbs(), pk.GibbsWithGradients()], ids=["PMP", "Gibbs", "GWG"])
def test_forbidden_states_are_never_sampled(sampler):
    x = pk.sample(KEY, forbidding_chain(), sampler, num_samples=300, num_sweeps=60)["x"]
    assert allowed(x).mean() == 1.0 if isinstance(sampler, pk.samplers.PerturbAndMAP) else allowed(x).mean() > 0.95


def test_a_model_can_be_built_again_from_its_scores():
    graph = forbidding_chain()
    (factor,) = graph.factors
    again = pk.FactorGraph(
        graph.variables, [pk.EdgeTables(factor.ids, factor.with_forbidden())], graph.with_forbidden()
    )
    assert pk.exact.log_partition(again) == pytest.approx(float(pk.exact.log_partition(graph)), rel=1e-6)
    states = pk.exact.states(graph.variables)
    impossible = np.isneginf(pk.score(graph, states))
    np.testing.assert_array_equal(np.isneginf(pk.score(again, states)), impossible)
    lost = pk.FactorGraph(graph.variables, [factor], graph.unaries)  # parameters are finite
    assert not np.array_equal(np.isneginf(pk.score(lost, states)), impossible)


@pytest.mark.parametrize(
    ("kind", "values"),
    [(pk.EdgeTables, np.array([[0.0, 1.0], [-np.inf, 0.5]])), (pk.CountPotential, np.array([0.0, -np.inf, 1.0]))],
)
@pytest.mark.parametrize("shared", [True, False])
def test_a_shared_table_is_shared_in_a_model_that_is_built_again(kind, values, shared):
    """`with_forbidden` repeated it for each factor, and `fit` then learned one table for each."""
    pairs = [[0, 1], [1, 2], [2, 3]]
    values = values if shared else np.stack([values, 2 * values, values])
    again = kind(pairs, kind(pairs, values).with_forbidden()).with_forbidden()
    np.testing.assert_array_equal(again, values)


@pytest.mark.slow
def test_forbidden_states_are_no_parameters():
    graph = forbidding_chain()
    data = pk.sample(KEY, graph, num_samples=100, num_sweeps=50)
    learned = pk.fit(KEY, graph, data, pk.PMP(), steps=3, num_sweeps=20).model
    np.testing.assert_array_equal(np.isneginf(learned.planes()), np.isneginf(graph.planes()))
    assert np.isfinite(learned.unaries).all()
    assert np.isneginf(learned.factors[0].with_forbidden()).tolist() == np.isneginf(FORBIDDEN).tolist()
    solved = pk.solve(learned, num_sweeps=100)
    assert solved.converged
    assert allowed(solved.states["x"][None]).all()
