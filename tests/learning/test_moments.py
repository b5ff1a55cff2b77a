"""Moments of data, and exact means of hidden variables."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from small_models import Pair, exact_samples, falling, ising, small_rbm

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


@pytest.mark.parametrize("states", [127, 128, 129, 300])
def test_the_last_of_many_states_stays_itself(states):
    """With 129 states the last one, 128, does not fit in a byte with a sign."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=states)))
    assert data.flat_data(graph, {"x": [[states - 1]]}).tolist() == [[states - 1]]
    assert np.asarray(pk.data_moments(graph, {"x": [[states - 1]]}).unaries)[0, -1] == 1.0


def test_moments_are_refused_where_they_change_with_the_parameters():
    class Squared(Pair):
        def graph(self):
            return Pair(self.coupling**2).graph()

    pk.fit(KEY, Pair(0.5), moments=pk.exact.moments(Pair(1.0)), steps=1)
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, Squared(0.5), moments=pk.exact.moments(Squared(1.0)), steps=1)


def test_moments_are_refused_for_a_softmax_of_equal_numbers():
    """It stays the same if all of its arguments move alike."""

    class Chain(eqx.Module):
        table: jax.Array

        def graph(self):
            table = jax.nn.log_softmax(self.table, axis=1)
            return pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.EdgeTables([[0, 1], [1, 2]], table)])

    start = Chain(jnp.zeros((2, 2)))
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, start, moments=pk.exact.moments(start), steps=1)


class AllOn(eqx.Module):
    """Twelve variables with a bonus exp(a) if all of them are 1."""

    a: jax.Array

    def graph(self):
        variables = pk.Variables(x=pk.Binary(12))
        return pk.FactorGraph(variables, [pk.CountPotential(variables["x"], jnp.zeros(13).at[12].set(jnp.exp(self.a)))])


def both_last(a, x):
    return jnp.where((x == 7).all(), jnp.exp(a), 0.0)


def of_function(function, a):
    return pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=8)), [pk.Custom([[0, 1]], function, a, states=8)])


@pytest.mark.parametrize("model", [AllOn(jnp.array(0.5)), of_function(both_last, 0.5)], ids=["count", "Custom"])
def test_moments_are_refused_where_one_state_in_many_is_not_linear(model):
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, model, moments=pk.exact.moments(model), steps=1)


@pytest.mark.parametrize(
    "model", [of_function(lambda a, x: a * (x[0] == x[1]), 0.5), ising(), small_rbm()], ids=["Custom", "Ising", "RBM"]
)
def test_moments_of_a_linear_score_are_learned_from(model):
    assert pk.fit(KEY, model, moments=pk.exact.moments(model), steps=1).state.step == 1


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


@pytest.mark.slow
def test_a_fit_to_moments_of_data_finds_the_model():
    truth = ising()
    data = exact_samples(truth, 20_000)
    result = pk.fit(
        KEY, pk.Ising(np.zeros((5, 5)), np.zeros(5)), moments=pk.data_moments(truth, data), sampler=pk.Gibbs(),
        num_chains=300, num_sweeps=10, **falling(0.1, 200),
    )  # fmt: skip
    assert np.abs(result.model.weight - truth.weight).max() < 0.25


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


def test_fit_climbs_the_gradient_also_inside_jit():
    model, data = ising(), {"x": np.tile([[1, 1, 0, 0, 1]], (10, 1))}
    samples = {"x": np.zeros((4, 5), int)}
    frozen = pk.PMP(noise=pk.Gumbel(0.0))
    model = eqx.tree_at(lambda m: m.bias, model, jnp.full(5, -50.0))  # every sample is 0
    step = pk.fit(KEY, model, data, frozen, optimizer=optax.sgd(1.0), steps=1, batch_size=3, num_chains=4).model
    for gradient in (pk.log_likelihood_gradient, jax.jit(pk.log_likelihood_gradient)):
        moved = eqx.apply_updates(model, gradient(model, data, samples))
        np.testing.assert_allclose(step.weight, moved.weight, atol=1e-6)
        np.testing.assert_allclose(step.bias, moved.bias, atol=1e-5)


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


def potts_star():
    """A hidden centre of three states with visible leaves of two and four."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(2), z=pk.Categorical(1, states=4))
    rng = np.random.default_rng(2)
    factors = [
        pk.EdgeTables([[0, 1], [0, 2]], rng.normal(size=(2, 3, 2))),
        pk.EdgeTables([[0, 3]], rng.normal(size=(1, 3, 4))),
    ]
    return pk.FactorGraph(variables, factors, rng.normal(size=(4, 4)))


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
        (
            potts_star(),
            [{"x": np.array([pk.FREE]), "y": RNG.integers(0, 2, 2), "z": RNG.integers(0, 4, 1)} for _ in range(3)],
        ),
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
    ids=["RBM", "Ising", "dense pairs", "categorical", "tables and counts", "forbidden entries", "hard factors"],
)
def test_exact_means_give_the_moments_of_enumeration(model, rows):
    ours, exact = positive_phase(model, rows), conditional_moments(model, rows)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(exact), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6)


@pytest.mark.parametrize(
    ("model", "row"),
    [
        (ising(), {"x": np.array([pk.FREE, pk.FREE, 0, 1, 0])}),
        (pk.Ising(np.zeros((5, 5)), np.zeros(5)), {"x": np.array([0, pk.FREE, pk.FREE, 1, 0])}),  # no weight yet
        (small_rbm(), {"v": np.array([pk.FREE, 1, 0, 1]), "h": np.full(3, pk.FREE)}),
    ],
    ids=["Ising", "Ising at zero", "RBM with a missing pixel"],
)
def test_exact_means_are_refused_where_hidden_variables_meet(model, row):
    data = {name: np.stack([np.zeros_like(x), x]) for name, x in row.items()}
    with pytest.raises(
        ValueError, match=r"positive: expected hidden variables that no factor joins.*data point 1 some"
    ):
        pk.fit(KEY, model, data, steps=1, positive="exact")


def test_exact_means_are_refused_at_any_scale_of_the_scores():
    """Two hidden hubs that meet: beside 2,000 observed neighbours each, their own edge is a thousandth of the score."""
    leaves = np.arange(2, 4002).reshape(2, -1)
    pairs = [[0, 1], *([hub, leaf] for hub in (0, 1) for leaf in leaves[hub])]
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(4002)), [pk.Edges(pairs, 1.0)])
    data = {"x": np.where(np.arange(4002) < 2, pk.FREE, 1)[None]}
    with pytest.raises(ValueError, match="positive: expected hidden variables that no factor joins"):
        pk.fit(KEY, graph, data, steps=1, positive="exact")


class Differ(pk.factors.AbstractFactor):
    """Pairs that must differ, with a score of the first variable of each. The methods are those that must be there."""

    a: jax.Array
    pairs: np.ndarray

    @property
    def hard(self):
        return True

    @property
    def scopes(self):
        return (self.pairs,)

    def equal(self, states):
        return (states[0, self.pairs[:, 0]] == states[0, self.pairs[:, 1]]).sum(0)

    def score(self, states):
        return jnp.where(self.equal(states) > 0, -jnp.inf, self.a * states[0, self.pairs[:, 0]].sum(0))

    def neutral_messages(self, batch):
        return jnp.zeros((0, *batch))

    def to_variables(self, messages, beliefs):
        return beliefs

    def update(self, beliefs, messages):
        return messages


class DifferInSums(Differ):
    """The same, with scores and violations that are sums over the pairs."""

    def finite_score(self, states):
        first, second = (states[0, self.pairs[:, end]] for end in (0, 1))
        return self.a * jnp.where(first != second, first, 0.0).sum(0)

    def violations(self, states):
        return self.equal(states)


def test_exact_means_of_a_hard_group_need_sums_over_its_factors():
    """With the default methods, a violation of one factor hid the scores and violations of the others."""
    variables = pk.Variables(v=pk.Binary(3), h=pk.Binary(3))
    pairs = np.stack([variables["v"], variables["h"]], axis=1)
    unaries = {"v": [0.3, -0.2, 0.1], "h": [0.5, 0.1, -0.4]}
    default, sums = (
        pk.FactorGraph(variables, [kind(jnp.array(0.7), pairs)], unaries) for kind in (Differ, DifferInSums)
    )
    rows = [{"v": row} for row in np.array([[1, 1, 0], [1, 0, 0]])]
    with pytest.raises(ValueError, match="positive: expected hidden variables that no factor joins"):
        positive_phase(default, rows)
    assert float(positive_phase(sums, rows).factors[0].a) == pytest.approx(1.5)  # 2 and 1 pairs have score a
    one = [{"v": np.array([1, 1, 0]), "h": np.array([0, 0, pk.FREE])}]  # a single hidden variable is no problem
    assert float(positive_phase(default, one).factors[0].a) == pytest.approx(2.0)


def test_exact_means_are_what_samples_scatter_around():
    """Measured for one batch of 20: sampled hidden variables scatter by 0.05 a weight, exact means not at all."""
    model, rows = small_rbm(), np.tile([[1, 0, 1, 1]], (20, 1))
    exact = positive_phase(model, [{"v": v, "h": np.full(3, pk.FREE)} for v in rows]).weight
    blocks = pk.Gibbs(blocks=("v", "h"))
    draws = pk.sample(KEY, model, blocks, num_samples=20 * 50, num_sweeps=1, evidence={"v": np.tile(rows, (50, 1))})
    h = draws["h"].reshape(50, 20, 3)
    sampled = np.einsum("v,bsh->bvh", rows[0], h) / 20  # 50 batches
    np.testing.assert_allclose(sampled.mean(0), exact, atol=0.05)
    assert sampled.std(0)[rows[0] == 1].mean() > 0.05


@pytest.mark.slow
def test_an_rbm_learns_with_exact_means_and_persistent_chains():
    data = {"v": np.array([[1, 1, 0, 0], [0, 0, 1, 1]] * 50)}
    blocks = pk.Gibbs(blocks=("h", "v"))
    result = pk.fit(
        KEY, pk.rbm(jax.random.key(1), visible=4, hidden=3, scale=0.1), data, blocks, positive="exact",
        optimizer=optax.adam(0.05), steps=400, num_sweeps=2, persistent=True,
    )  # fmt: skip
    v = pk.sample(KEY, result.model, blocks, num_samples=2000, num_sweeps=50)["v"]
    assert min((v == [1, 1, 0, 0]).all(1).mean(), (v == [0, 0, 1, 1]).all(1).mean()) > 0.25


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
@pytest.mark.parametrize(
    ("factors", "unaries"),
    [([pk.ExactlyK([0, 1, 2], 1)], None), ([pk.Edges([[0, 1]], 1.0)], np.array([[0.0, 0]] * 2 + [[0.0, -np.inf]]))],
    ids=["constraint", "unary"],
)
def test_data_that_the_model_forbids_are_refused(learn, factors, unaries):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), factors, unaries)
    with pytest.raises(
        ValueError, match="data: expected states that the model allows, but data point 1 has score -inf"
    ):
        learn(graph, {"x": np.array([[0, 1, 0], [0, 1, 1]])})


@pytest.mark.parametrize(
    ("factors", "unaries"),
    [([pk.ExactlyK([0, 1, 2], 1)], None), ([], np.array([[0.0, 0], [0, 0], [0, -np.inf], [-np.inf, 0]]))],
    ids=["constraint", "unary"],
)
def test_data_with_hidden_variables_that_the_model_forbids_are_refused(factors, unaries):
    variables = pk.Variables(v=pk.Binary(3), h=pk.Binary(1))
    graph = pk.FactorGraph(variables, [*factors, pk.Edges([[0, 3]], 1.0)], unaries)
    pk.fit(KEY, graph, {"v": np.array([[0, 1, 0]] * 2)}, pk.Gibbs(), steps=1, num_sweeps=1)
    with pytest.raises(ValueError, match="data: expected states that the model allows, but data point 1 has score"):
        pk.fit(KEY, graph, {"v": np.array([[0, 1, 0], [0, 1, 1]])}, steps=1)


def test_constraints_of_hidden_variables_are_not_checked():
    """The hidden variable of the first data point is 1, which a constraint with the filled-in 0 would forbid."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.ExactlyK([0, 1, 2], 1)])
    data = {"x": np.array([[0, 0, pk.FREE], [0, 1, 0]])}
    pk.fit(KEY, graph, data, pk.PMP(), steps=1, num_sweeps=5)


def test_a_forbidden_data_point_after_others_with_hidden_variables_is_named():
    graph = pk.FactorGraph(pk.Variables(v=pk.Binary(2), h=pk.Binary(1)), [pk.ExactlyK([0, 1, 2], 1)])
    rows = {"v": [[1, 0], [1, 0], [0, 1], [1, 1]], "h": [[pk.FREE], [pk.FREE], [0], [0]]}
    with pytest.raises(ValueError, match="but data point 3 has score -inf"):
        pk.fit(KEY, graph, {name: np.array(block) for name, block in rows.items()}, steps=1)
