"""The default methods of a factor, made of its scopes, score and messages, beside the fast ones of each type."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import examples
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.factors import AbstractFactor

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


QUICK = {"DensePairwise", "EdgeTables", "CountPotential, hard", "Parity"}
each_slowly = pytest.mark.parametrize("example", some(examples(), QUICK, name=lambda one: one.name))


@each_slowly
def test_defaults_follow_from_scopes_scores_and_messages(example):
    pk.testing.check_factor(Plain(example.factor), example.variables, example.tables)


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
    "NWise": lambda: pk.NWise(np.zeros((0, 3), int), np.zeros((2, 2, 2))),
    "ExactlyK": lambda: pk.ExactlyK(np.zeros((0, 3), int), np.zeros(0, int)),
    "Or": lambda: pk.Or(np.zeros((0, 2), int), []),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_group_without_factors_changes_nothing(name):
    variables = pk.Variables(x=pk.Binary(4))
    models = [pk.FactorGraph(variables, factors, {"x": [1.0, -1.0, 0.5, 0.0]}) for factors in ((), [EMPTY[name]()])]
    for sampler in (pk.PMP(), pk.Gibbs()):
        one, other = (pk.sample(KEY, m, sampler, num_samples=5, num_sweeps=3)["x"] for m in models)
        np.testing.assert_array_equal(one, other)


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
        lambda model: pk.sample(KEY, model, num_samples=20, num_sweeps=5)["x"],
        lambda model: pk.solve(model, pk.MPLP()).bound,
        lambda model: pk.score(model, {"x": np.ones(3, int)}),
        lambda model: pk.exact.log_partition(model),
        lambda model: pk.exact.moments(model).factors[0].weight,
        lambda model: pk.data_moments(model, data).factors[0].weight,
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


@each_slowly
def test_no_rows_give_no_results(example):
    """JAX cannot infer the length of an axis, -1, if another one is 0."""
    graph = pk.FactorGraph(example.variables, [example.factor])
    none = {name: np.zeros((0, *example.variables[name].shape), int) for name in example.variables.names}
    assert pk.score(graph, none).shape == (0,)
    for solver in (pk.MaxProduct(), pk.CoordinateAscent()):
        found = pk.solve(graph, solver, evidence=none)
        assert found.score.shape == (0,)
        assert all(found.states[name].shape == states.shape for name, states in none.items())
