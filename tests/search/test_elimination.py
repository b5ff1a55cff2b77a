"""Tables of all factors, and exact elimination of variables, against enumeration and known sums."""

import jax
import numpy as np
import pytest
from factor_examples import examples
from pair_models import mixed, some_evidence
from sampler_examples import FALSE_ALARM, MODELS, chi_square

import pmp_kit as pk
from pmp_kit.search import elimination, order
from pmp_kit.search.tables import score_of, tables_of

FREE = pk.FREE


def planned(graph, evidence=None):
    """The tables of a graph given flat evidence, and a plan for them."""
    flat = np.full(graph.variables.count, FREE) if evidence is None else evidence
    problem = elimination.reduced(tables_of(graph), graph.variables.cardinalities, flat)
    return problem, elimination.plan_within(problem, 60.0, keep=True)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_tables_have_the_scores_of_every_factor(example):
    rng = np.random.default_rng(0)
    variables = example.variables
    unaries = rng.normal(size=(variables.count, variables.num_states))
    graph = pk.FactorGraph(variables, [example.factor], unaries)
    tables = tables_of(graph)
    states = rng.integers(0, variables.cardinalities, size=(200, variables.count))
    wanted = np.asarray(pk.score(graph, variables.unflatten(states)))
    assert np.isfinite(wanted).any() or example.factor.hard
    np.testing.assert_allclose([score_of(tables, row)[0] for row in states], wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_elimination_equals_enumeration_given_any_evidence(seed):
    """Loops, two and three states, repeated pairs, and forbidden entries."""
    graph = mixed(seed, scale=3.0).graph
    forbidding = pk.EdgeTables([(0, 2)], np.where(np.eye(3) > 0, -np.inf, 0.0))
    graph = pk.FactorGraph(graph.variables, [*graph.factors, forbidding], np.asarray(graph.unaries))
    for row in range(4):
        evidence = {name: x[row] for name, x in some_evidence(graph.variables, 4, seed).items()}
        flat = graph.variables.flat_evidence(evidence)
        weights = np.asarray(pk.exact.log_weights(graph, evidence), np.float64)
        problem, plan = planned(graph, flat)
        if np.isneginf(weights).all():
            assert elimination.log_partition(problem, plan) == -np.inf
            continue
        np.testing.assert_allclose(elimination.log_partition(problem, plan), np.logaddexp.reduce(weights), rtol=1e-5)
        states, score = elimination.best_states(problem.tables, plan.order, flat, np.inf)
        np.testing.assert_allclose(score + problem.constant, weights.max(), rtol=1e-5, atol=1e-5)
        at = pk.exact.index_of(graph.variables, graph.variables.unflatten(states[None]))[0]
        np.testing.assert_allclose(weights[at], weights.max(), rtol=1e-5, atol=1e-5)
        exact = pk.exact.marginals(graph, evidence)
        found = graph.variables.unflatten_marginals(
            np.stack([np.pad(p, (0, 3 - len(p))) for _, p in sorted(_with_observed(problem, plan, flat).items())], 1)
        )
        for name in exact:
            np.testing.assert_allclose(found[name], exact[name], atol=1e-5)


def _with_observed(problem, plan, flat):
    """The marginals of all variables: those of observed ones are certain."""
    observed = {i: np.eye(problem.sizes[i])[x] for i, x in enumerate(flat) if x != FREE}
    return elimination.marginals(problem, plan) | observed


def ring(size: int, coupling: float) -> pk.FactorGraph:
    """A ring of spins without fields, whose log Z is known: Z = (2 cosh J)^n + (2 sinh J)^n."""
    ids = np.arange(size)
    table = coupling * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return pk.FactorGraph(pk.Variables(x=pk.Binary(size)), [pk.EdgeTables(np.stack([ids, np.roll(ids, -1)], 1), table)])


def test_exact_results_of_models_too_large_to_enumerate():
    model, evidence = ring(400, 0.8), np.full(400, FREE)
    known = 400 * np.log(2 * np.cosh(0.8)) + np.log1p(np.tanh(0.8) ** 400)
    np.testing.assert_allclose(pk.exact.log_partition(model), known, rtol=1e-6)
    np.testing.assert_allclose(pk.exact.marginals(model)["x"], 0.5, atol=1e-6)
    evidence[0] = 1
    marginals = pk.exact.marginals(model, {"x": evidence})["x"]
    assert marginals[0].tolist() == [0.0, 1.0]
    np.testing.assert_allclose(marginals[1, 1], 0.5 * (1 + np.tanh(0.8)), rtol=1e-5)
    assert pk.exact.map_state(model, {"x": evidence})["x"].all()


def test_models_that_are_not_close_to_a_tree_are_refused():
    rng = np.random.default_rng(0)
    weight = np.triu(rng.normal(size=(60, 60)), 1)
    with pytest.raises(ValueError, match=r"model: .* or a graph of low induced width, .* use samples"):
        pk.exact.log_partition(pk.Ising(weight + weight.T, np.zeros(60)))


def test_a_long_strip_has_the_width_of_its_cross_section():
    """The greedy rules need tables of 2^20 entries and more on a torus of 6 x 60; an order by distance needs 2^14."""
    x = np.arange(360).reshape(60, 6)
    pairs = [np.stack([x, np.roll(x, -1, axis)], -1).reshape(-1, 2) for axis in (0, 1)]
    near = order.neighbours_of(map(tuple, np.concatenate(pairs).tolist()), range(360))
    plan = order.best_plan(near, np.full(360, 2), 2.0**40, np.inf, lambda plan: True)
    assert plan.work < 360 * 2**14


def test_the_plan_of_a_small_model_does_not_wait_for_an_import(monkeypatch):
    """The first import of SciPy took all of the time on a busy machine, and no plan was found."""
    monkeypatch.delattr(order, "distance_order")
    assert pk.exact.takes_little(pk.ising_lattice(4, coupling=0.2))


def test_samples_follow_the_distribution_also_given_evidence():
    model = MODELS["potts"]
    for evidence in (None, {"x": [1, pk.FREE, pk.FREE]}):
        samples = pk.exact.sample(jax.random.key(1), model, 20_000, evidence)
        assert chi_square(model, samples, evidence) > FALSE_ALARM
    np.testing.assert_array_equal(samples["x"][:, 0], 1)


def test_samples_of_a_model_too_large_to_enumerate_have_its_marginals():
    rng = np.random.default_rng(0)
    spins = pk.Variables(x=pk.Binary(40, 5))
    pairs = pk.lattice_pairs(spins["x"])
    model = pk.FactorGraph(spins, [pk.Edges(pairs, 3.0 * rng.normal(size=len(pairs)))], {"x": rng.normal(size=(40, 5))})
    samples = pk.exact.sample(jax.random.key(0), model, 10_000)["x"]
    p = pk.exact.marginals(model)["x"][..., 1]
    assert np.abs(samples.mean(0) - p).max() < 5 * 0.5 / 100.0


def test_impossible_evidence_has_no_samples():
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.EdgeTables([(0, 1)], [[0.0, 0.0], [0.0, -np.inf]])])
    with pytest.raises(ValueError, match="evidence: expected evidence that some configuration agrees with"):
        pk.exact.sample(jax.random.key(0), graph, 5, {"x": [1, 1]})
