"""Moments of data, and exact means of hidden variables."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from small_models import Pair, ising, small_rbm

import pmp_kit as pk
from pmp_kit.learning import data, moments

KEY = jax.random.key(0)

RNG = np.random.default_rng(0)
ONE_MISSING = [{"x": np.where(np.arange(5) == i, pk.FREE, RNG.integers(0, 2, 5))} for i in (0, 2, 4)]


def test_moments_of_data_are_its_sufficient_statistics(monkeypatch):
    monkeypatch.setattr(moments, "ROWS_AT_ONCE", 7)  # several calls, the last one short
    x = RNG.integers(0, 2, (40, 5))
    got = pk.data_moments(ising(), {"x": x})
    np.testing.assert_allclose(got.bias, x.mean(0), rtol=1e-6)
    pairs = x.T @ x / 40
    np.testing.assert_allclose(got.weight, 0.5 * (pairs - np.diag(np.diag(pairs))), rtol=1e-6)


def test_moments_are_refused_where_they_change_with_the_parameters():
    class Squared(Pair):
        def graph(self):
            return Pair(self.coupling**2).graph()

    pk.fit(KEY, Pair(0.5), moments=pk.exact.moments(Pair(1.0)), steps=1)
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, Squared(0.5), moments=pk.exact.moments(Squared(1.0)), steps=1)


def both_last(a, x):
    return jnp.where((x == 7).all(), jnp.exp(a), 0.0)


def of_function(function, a):
    return pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=8)), [pk.Custom([[0, 1]], function, a, states=8)])


def test_moments_are_refused_where_one_state_in_many_is_not_linear():
    model = of_function(both_last, 0.5)
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, model, moments=pk.exact.moments(model), steps=1)


def test_moments_of_other_shapes_or_without_a_value_are_refused():
    variables, data = pk.Variables(x=pk.Binary(3)), {"x": RNG.integers(0, 2, (10, 3))}
    shared, each = (pk.FactorGraph(variables, [pk.Edges([[0, 1], [1, 2]], w)]) for w in (0.0, np.zeros(2)))
    of_shared, of_each = (pk.data_moments(model, data) for model in (shared, each))
    for model, given, shapes in ((each, of_shared, r"\(2,\).*got \(\)"), (shared, of_each, r"\(\).*got \(2,\)")):
        with pytest.raises(ValueError, match=rf"moments.factors\[0\].weight: expected the shape {shapes}"):
            pk.fit(KEY, model, moments=given, steps=1)
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"moments.unaries: expected finite numbers, got NaN or infinity"):
            pk.fit(KEY, each, moments=eqx.tree_at(lambda m: m.unaries, of_each, of_each.unaries + value), steps=1)


@pytest.mark.parametrize("model", [ising(), small_rbm()], ids=["Ising", "RBM"])
def test_the_gradient_is_that_of_the_log_likelihood(model):
    """With all states as exact samples, it is the derivative of the mean log p of the data."""
    variables, rng = model.graph().variables, np.random.default_rng(0)
    states = {name: np.asarray(x) for name, x in pk.exact.states(variables).items()}
    data = {name: x[rng.choice(len(x), 7)] for name, x in states.items()}
    p = np.asarray(pk.exact.probabilities(model), float)
    often = np.random.default_rng(1).choice(p.size, 200_000, p=p / p.sum())
    found = pk.log_likelihood_gradient(model, data, {name: x[often] for name, x in states.items()})

    def log_likelihood(model):
        return pk.score(model, data).mean() - pk.exact.log_partition(model)

    expected = eqx.filter_grad(log_likelihood)(model)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(one, other, atol=0.01)


def test_hidden_states_are_refused_or_give_nan_inside_jit():
    model, samples = ising(), {"x": np.zeros((4, 5), int)}
    hidden = {"x": np.array([[0, 1, pk.FREE, 0, 0]])}
    with pytest.raises(ValueError, match=r"data: expected a state for every variable, got pk\.FREE"):
        pk.log_likelihood_gradient(model, hidden, samples)
    assert np.isnan(jax.jit(pk.log_likelihood_gradient)(model, hidden, samples).weight).any()
    assert np.isnan(jax.jit(pk.log_pseudo_likelihood)(model, hidden))


def test_data_that_the_model_forbids_have_no_gradient():
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.ExactlyOne([0, 1])], {"x": np.ones(2)})
    with pytest.raises(ValueError, match="data: expected states that the model allows, but data point 1"):
        pk.log_likelihood_gradient(model, {"x": [[0, 1], [1, 1]]}, {"x": [[0, 1]]})


def conditional_moments(model, rows):
    """The positive phase by enumeration: exact.moments given each row of the data, averaged."""
    parts = [pk.exact.moments(model, row) for row in rows]
    return jax.tree.map(lambda *leaf: np.mean(leaf, axis=0), *parts)


def positive_phase(model, rows):
    graph = model.graph()
    flat = data.flat_data(graph, {name: np.stack([row[name] for row in rows]) for name in rows[0]})
    hidden = np.flatnonzero((flat == pk.FREE).any(0))
    data.check_apart(graph, flat, hidden)
    return expected_gradient(model, jnp.asarray(flat, jnp.int32), jnp.asarray(hidden, jnp.int32))


@jax.jit
def expected_gradient(model, known, hidden):
    return eqx.filter_grad(moments.expected_score)(model, known, hidden)


def three_way():
    """Scores that are not linear in a mean state: a table and a count, each with a hidden variable of its own."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(4))
    rng = np.random.default_rng(3)
    factors = [pk.NWise([0, 1, 2], rng.normal(size=(3, 2, 2))), pk.CountPotential([[2, 3, 4]], rng.normal(size=4))]
    return pk.FactorGraph(variables, factors, rng.normal(size=(5, 3)))


def gated():
    """A hidden output of an AND, which its inputs determine, and a hidden variable that a constraint leaves free."""
    variables = pk.Variables(x=pk.Binary(2), child=pk.Binary(1), y=pk.Binary(2))
    rng = np.random.default_rng(4)
    factors = [pk.And([0, 1], 2), pk.Edges([[2, 3]], rng.normal(size=1)), pk.AtMostK([0, 3, 4], 2)]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=2), "y": rng.normal(size=2)})


def forbidding():
    """A hidden variable whose first state, the one that the sum starts from, is forbidden in some rows."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(3))
    rng = np.random.default_rng(5)
    table = rng.normal(size=(3, 2, 2))
    table[0, 1] = -np.inf
    factors = [pk.NWise([0, 1, 2], table), pk.EdgeTables([[0, 3]], rng.normal(size=(3, 2)))]
    return pk.FactorGraph(
        variables, factors, np.where(np.arange(12).reshape(4, 3) == 10, -np.inf, rng.normal(size=(4, 3)))
    )


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (small_rbm(), [{"v": RNG.integers(0, 2, 4), "h": np.full(3, pk.FREE)} for _ in range(3)]),
        (ising(), ONE_MISSING),
        (ising().graph(), ONE_MISSING),  # the graph itself, whose factor `Ising` does not make symmetric
        (three_way(), [{"x": np.array([pk.FREE]), "y": np.array([0, 1, b, pk.FREE])} for b in (0, 1)]),
        (forbidding(), [{"x": np.array([pk.FREE]), "y": np.array([b, 1, 0])} for b in (0, 1)]),
        (
            gated(),
            [
                {"x": x, "child": np.array([pk.FREE]), "y": y}
                for x, y in zip(np.array([[0, 1], [1, 1]]), np.array([[1, pk.FREE], [0, pk.FREE]]), strict=True)
            ],
        ),
    ],
    ids=["RBM", "Ising", "dense pairs", "tables and counts", "forbidden entries", "hard factors"],
)
def test_exact_means_give_the_moments_of_enumeration(model, rows):
    ours, exact = positive_phase(model, rows), conditional_moments(model, rows)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(exact), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6)


@pytest.mark.parametrize(
    ("model", "row"),
    [
        (pk.Ising(np.zeros((5, 5)), np.zeros(5)), {"x": np.array([0, pk.FREE, pk.FREE, 1, 0])}),  # no weight yet
        (small_rbm(), {"v": np.array([pk.FREE, 1, 0, 1]), "h": np.full(3, pk.FREE)}),
    ],
    ids=["Ising at zero", "RBM with a missing pixel"],
)
def test_exact_means_are_refused_where_hidden_variables_meet(model, row):
    data = {name: np.stack([np.zeros_like(x), x]) for name, x in row.items()}
    with pytest.raises(
        ValueError, match=r"positive: expected hidden variables that no factor joins.*data point 1 some"
    ):
        pk.fit(KEY, model, data, steps=1, positive="exact")


@pytest.mark.parametrize(
    "learn",
    [
        lambda graph, data: pk.fit(KEY, graph, data, steps=1),
        lambda graph, data: pk.fit_pseudo_likelihood(KEY, graph, data, steps=1),
        pk.data_moments,
        pk.log_pseudo_likelihood,
    ],
    ids=["fit", "pseudo-likelihood", "moments", "log"],
)
def test_data_that_the_model_forbids_are_refused(learn):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.ExactlyK([0, 1, 2], 1)])
    with pytest.raises(
        ValueError, match="data: expected states that the model allows, but data point 1 has score -inf"
    ):
        learn(graph, {"x": np.array([[0, 1, 0], [0, 1, 1]])})


def test_data_with_hidden_variables_that_the_model_forbids_are_refused():
    variables = pk.Variables(v=pk.Binary(3), h=pk.Binary(1))
    unaries = np.array([[0.0, 0], [0, 0], [0, -np.inf], [-np.inf, 0]])
    graph = pk.FactorGraph(variables, [pk.Edges([[0, 3]], 1.0)], unaries)
    pk.fit(KEY, graph, {"v": np.array([[0, 1, 0]] * 2)}, pk.Gibbs(), steps=1, num_sweeps=1)
    with pytest.raises(ValueError, match="data: expected states that the model allows, but data point 1 has score"):
        pk.fit(KEY, graph, {"v": np.array([[0, 1, 0], [0, 1, 1]])}, steps=1)
