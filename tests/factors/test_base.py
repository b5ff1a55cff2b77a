"""The default methods of a factor, made of its scopes, score and messages, beside the fast ones of each type."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from factor_examples import each_slowly, examples

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.factors import AbstractFactor, two_colouring

KEY = jax.random.key(0)


class Plain(AbstractFactor):
    """A factor that gives what a new type must give, and takes all defaults."""

    inner: AbstractFactor

    @property
    def hard(self):
        return self.inner.hard

    @property
    def scopes(self):
        return self.inner.scopes

    def score(self, states):
        return self.inner.score(states)

    def neutral_messages(self, batch):
        return self.inner.neutral_messages(batch)

    def to_variables(self, messages, beliefs):
        return self.inner.to_variables(messages, beliefs)

    def update(self, beliefs, messages):
        return self.inner.update(beliefs, messages)

    def bounds(self):
        """Return those of the inner factor, because several factors may share a parameter."""
        return self.inner.bounds()


each = pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)


@each_slowly()
def test_defaults_follow_from_scopes_scores_and_messages(example):
    pk.testing.check_factor(Plain(example.factor), example.variables, example.tables)


@each
def test_ids_are_checked_by_default(example):
    with pytest.raises(ValueError, match="ids: expected ids below n = 1"):
        pk.FactorGraph(pk.Variables(x=pk.Binary(1)), [Plain(example.factor)])


@pytest.mark.parametrize("name", ["DensePairwise", "Potts", "NWise"])
def test_gibbs_and_max_product_run_on_the_defaults(name):
    """With the same key the same chain, and the same best configuration."""
    (example,) = (example for example in examples() if example.name == name)
    results = []
    for factor in (example.factor, Plain(example.factor)):
        graph = pk.FactorGraph(example.variables, [factor])
        chain = pk.sample(KEY, graph, pk.Gibbs(), num_samples=5, num_sweeps=4)
        results.append((chain, pk.solve(graph, num_sweeps=20).states))
    for one, other in zip(jax.tree.leaves(results[0]), jax.tree.leaves(results[1]), strict=True):
        np.testing.assert_array_equal(one, other)


class NotBoth(AbstractFactor):
    """A pair that must not be in state 1 together, without a word on that in `hard`."""

    ids: jax.Array

    @property
    def scopes(self):
        return (np.asarray(self.ids),)

    def score(self, states):
        both = planes.ones(states, self.ids).prod(1).sum(0)
        return jnp.where(both > 0, -jnp.inf, 0.0)

    def neutral_messages(self, batch):
        return jnp.zeros((1, *batch))

    def to_variables(self, messages, beliefs):
        return beliefs

    def update(self, beliefs, messages):
        return messages


@pytest.mark.parametrize("sampler", [pk.Gibbs(), pk.RandomScanGibbs(), pk.GibbsWithGradients(), pk.DiscreteLangevin()])
def test_chains_leave_states_that_a_factor_without_hard_forbids(sampler):
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [NotBoth(jnp.array([[0, 1]], jnp.int32))])
    samples = pk.sample(KEY, model, sampler, num_samples=200, num_sweeps=50)["x"]
    assert not samples.all(1).any()


class LogLeft(AbstractFactor):
    """Score log(3 - x) of a variable with states 0, 1 and 2; NaN for state 4 of others."""

    ids: jax.Array

    @property
    def scopes(self):
        return (np.asarray(self.ids)[:, None],)

    def score(self, states):
        x = jnp.tensordot(jnp.arange(states.shape[0], dtype=states.dtype), states[:, self.ids], 1)
        return jnp.log(3.0 - x).sum(0)

    def neutral_messages(self, batch):
        table = jnp.log(3.0 - jnp.arange(3.0))
        return jnp.broadcast_to(table.reshape(3, 1, *(1,) * len(batch)), (3, self.ids.size, *batch))

    def to_variables(self, messages, beliefs):
        return beliefs.at[:3, self.ids].add(messages)

    def update(self, beliefs, messages):
        return messages


@pytest.mark.parametrize("sampler", [pk.Gibbs(), pk.GibbsWithGradients(), pk.DiscreteLangevin()])
def test_the_score_of_states_that_a_variable_does_not_have_counts_for_nothing(sampler):
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Categorical(1, states=5))
    model = pk.FactorGraph(variables, [LogLeft(jnp.array([0]))])
    drawn = pk.sample(KEY, model, sampler, num_samples=4000, num_sweeps=30)["x"][:, 0]
    np.testing.assert_allclose(np.bincount(drawn) / 4000, [1 / 2, 1 / 3, 1 / 6], atol=0.04)  # five standard errors
    data = {"x": [[0]], "y": [[0]]}
    assert pk.log_pseudo_likelihood(model, data) == pytest.approx(np.log(1 / 2) + np.log(1 / 5), rel=1e-5)


EMPTY = {
    "Edges": lambda: pk.Edges([], 1.0),
    "EdgeTables": lambda: pk.EdgeTables(np.zeros((0, 2), int), np.zeros((2, 2))),
    "NWise": lambda: pk.NWise(np.zeros((0, 3), int), np.zeros((2, 2, 2))),
    "ExactlyK": lambda: pk.ExactlyK(np.zeros((0, 3), int), np.zeros(0, int)),
    "Or": lambda: pk.Or(np.zeros((0, 2), int), []),
    "Pool": lambda: pk.Pool(np.zeros((0, 2), int), []),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_group_without_factors_changes_nothing(name):
    variables = pk.Variables(x=pk.Binary(4))
    models = [pk.FactorGraph(variables, factors, {"x": [1.0, -1.0, 0.5, 0.0]}) for factors in ((), [EMPTY[name]()])]
    for sampler in (pk.PMP(), pk.Gibbs()):
        one, other = (pk.sample(KEY, m, sampler, num_samples=5, num_sweeps=3)["x"] for m in models)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("make", [lambda: pk.Bipartite(np.zeros(0, int), [0], np.zeros((0, 1))),
                                  lambda: pk.DensePairwise(np.zeros(0, int), np.zeros((0, 0)))])  # fmt: skip
def test_matrices_without_variables_are_refused(make):
    with pytest.raises(ValueError, match="expected at least one variable"):
        make()


def test_a_wrong_id_costs_no_memory():
    with pytest.raises(ValueError, match="pairs: expected ids below n = 4, got 2000000000"):
        pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.Edges([[0, 2 * 10**9]], 1.0)])


def test_the_graph_of_pairs_with_a_huge_id_is_small(monkeypatch):
    """The number of variables in it is that of the distinct ids, not the largest id."""
    sizes, real = [], two_colouring.spanning_forest

    def small(ids, size):
        sizes.append(size)
        assert size < 10, "it would take all memory"
        return real(ids, size)

    monkeypatch.setattr(two_colouring, "spanning_forest", small)
    assert two_colouring.turned(np.array([[0, 2 * 10**9], [2 * 10**9, 7]])).tolist() == [False, True]
    assert sizes == [3]


@pytest.mark.parametrize("make", [lambda w: pk.Edges([[0, 1], [1, 2], [2, 0]], w),
                                  lambda w: pk.Potts([[0, 1], [1, 2], [2, 0]], w, 2)])  # fmt: skip
def test_the_size_of_scores_counts_each_use_of_a_shared_weight(make):
    assert make(0.5).bounds() == make(np.full(3, 0.5)).bounds() == (1.5, 1.5)


def test_the_size_of_scores_counts_each_pair_of_a_matrix_once():
    group = pk.DensePairwise([0, 1, 2], np.where(np.eye(3), 0.0, 0.5))
    assert group.bounds() == pk.Edges([[0, 1], [1, 2], [2, 0]], 0.5).bounds() == (1.5, 1.5)


def test_what_two_locations_of_a_convolution_break_is_theirs_among_all():
    """Only the images of these locations are counted, which are fewer than all images."""
    variables = pk.Variables(w=pk.Binary(1, 2, 2), s=pk.Binary(5, 1, 2, 2), x=pk.Binary(5, 3, 3))
    factor = pk.ConvOr(variables["w"], variables["s"], variables["x"])
    draw = jax.random.bernoulli(KEY, 0.5, (variables.count, 20)).astype(jnp.int32)
    states = planes.from_states(draw, 1, jnp.float32)

    @jax.jit
    def change(at):
        return factor.conditional(states, at, factor.locate(at))[1]

    of_all = change(jnp.arange(variables.count, dtype=jnp.int32))
    for images in ([0, 1], [4, 3]):
        at = variables["s"][images, 0, [0, 1], 1]
        np.testing.assert_array_equal(change(jnp.asarray(at, jnp.int32)), of_all[:, at])


DENSE = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.DensePairwise(np.arange(3), np.ones((3, 3)) - np.eye(3))])


@pytest.mark.parametrize(
    "weight", [np.triu(np.ones((3, 3)), 1), np.arange(9.0).reshape(3, 3)], ids=["one triangle", "a diagonal"]
)
def test_a_changed_matrix_of_couplings_counts_as_symmetric(weight):
    """With one triangle, the score read the mean of both couplings of a pair, Gibbs one, and MPLP the other."""
    changed = eqx.tree_at(lambda graph: graph.factors[0].weight, DENSE, jnp.asarray(weight, jnp.float32))
    even = 0.5 * (weight + weight.T) * (1 - np.eye(3))
    same = pk.FactorGraph(DENSE.variables, [pk.DensePairwise(np.arange(3), even)])
    data = {"x": np.eye(3, dtype=int)}
    for call in (
        lambda model: pk.sample(KEY, model, pk.Gibbs(), num_samples=20, num_sweeps=5)["x"],
        lambda model: pk.sample(KEY, model, pk.GibbsWithGradients(), num_samples=20, num_sweeps=5)["x"],
        lambda model: pk.sample(KEY, model, num_samples=20, num_sweeps=5)["x"],
        lambda model: pk.solve(model, pk.MPLP()).bound,
        lambda model: pk.score(model, {"x": np.ones(3, int)}),
        lambda model: pk.exact.log_partition(model),
        lambda model: pk.exact.moments(model).factors[0].weight,
        lambda model: pk.data_moments(model, data).factors[0].weight,
        lambda model: jax.grad(lambda weight: pk.score(with_weight(weight), {"x": np.ones(3, int)}))(
            model.factors[0].weight
        ),
        lambda model: pk.log_pseudo_likelihood(model, data),
    ):
        np.testing.assert_array_equal(call(changed), call(same))


def with_weight(weight):
    return eqx.tree_at(lambda graph: graph.factors[0].weight, DENSE, weight)


def test_the_gradient_of_couplings_is_symmetric_without_diagonal():
    """Adam makes a step of full size from a rounding error."""
    data = {"x": np.random.default_rng(0).integers(0, 2, (50, 3))}
    for gradient in (
        jax.grad(lambda weight: pk.score(with_weight(weight), data).sum())(DENSE.factors[0].weight),
        pk.data_moments(DENSE, data).factors[0].weight,
        pk.exact.moments(DENSE).factors[0].weight,
    ):
        np.testing.assert_array_equal(gradient, gradient.T)
        assert not np.diagonal(gradient).any()
        assert np.asarray(gradient).any()


def test_an_optimiser_that_adds_noise_keeps_couplings_symmetric():
    """Samples and scores of the learned model then agree; they are computed from different entries of the matrix."""
    data = {"x": np.random.default_rng(0).integers(0, 2, (50, 3))}
    uneven = lambda x: x + 0.1 * jnp.arange(x.size, dtype=x.dtype).reshape(x.shape)  # noqa: E731  (in place of noise)
    noisy = optax.chain(optax.sgd(0.3), optax.stateless(lambda updates, _: jax.tree.map(uneven, updates)))
    options = {"optimizer": noisy, "steps": 3, "batch_size": 10}
    for learned in (
        pk.fit(jax.random.key(0), DENSE, data, pk.Gibbs(), num_sweeps=2, **options).model,
        pk.fit_pseudo_likelihood(jax.random.key(0), DENSE, data, **options).model,
    ):
        weight = np.asarray(learned.graph().factors[0].weight)
        np.testing.assert_array_equal(weight, weight.T)
        assert not np.diagonal(weight).any()
        assert (weight != DENSE.factors[0].weight).any()


class Doubled(Plain):
    """Log-odds of binary variables say nothing of a third state, which then got no message."""

    binary = True


def test_a_factor_of_log_odds_refuses_variables_with_more_states():
    mixed = pk.Variables(x=pk.Binary(2), y=pk.Categorical(1, states=3))
    assert pk.FactorGraph(mixed, [Doubled(pk.Edges([[0, 1]], 1.0))]).factors
    with pytest.raises(
        ValueError, match="ids: expected binary variables, got variable 2 with 3 states; use EdgeTables"
    ):
        pk.FactorGraph(mixed, [Doubled(pk.Edges([[0, 2]], 1.0))])


@each_slowly()
def test_no_rows_give_no_results(example):
    """JAX cannot infer the length of an axis, -1, if another one is 0."""
    graph = pk.FactorGraph(example.variables, [example.factor])
    none = {name: np.zeros((0, *example.variables[name].shape), int) for name in example.variables.names}
    assert pk.score(graph, none).shape == (0,)
    for solver in (pk.MaxProduct(), pk.CoordinateAscent()):
        found = pk.solve(graph, solver, evidence=none)
        assert found.score.shape == (0,)
        assert all(found.states[name].shape == states.shape for name, states in none.items())
