"""Models that are built inside compiled functions are checked, and forbid states, as models outside.

Functions that need the values of their arguments refuse traced ones.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk
from pmp_kit import measures

KEY = jax.random.key(0)
PAIR = pk.Variables(x=pk.Binary(2))
SAMPLERS = [pk.PMP(), pk.Gibbs(), pk.GibbsWithGradients(), pk.DiscreteLangevin()]
each_transformation = pytest.mark.parametrize("transform", [jax.jit, jax.grad, jax.vmap])


def argument_of(transform, value):
    return jnp.full(2, value) if transform is jax.vmap else value


@each_transformation
def test_wiring_is_checked(transform):
    mixed = pk.Variables(x=pk.Binary(2), y=pk.Categorical(1, states=3))
    states = {"x": np.array([1, 0]), "y": np.array([2])}
    for pair, expected in (([0, 7], "ids below n = 3, got 7"), ([0, 2], "binary variables")):
        score = transform(lambda w, pair=pair: pk.score(pk.FactorGraph(mixed, [pk.Edges([pair], w)]), states))
        with pytest.raises(ValueError, match=f"pairs: expected {expected}"):
            score(argument_of(transform, 2.0))


@pytest.mark.parametrize("score", [lambda w, x: w[x[0]] * x[1], lambda w, x: w.at[x[0]].get() * x[1]])
def test_a_function_may_index_its_parameters_by_a_state(score):
    log_z = lambda w: pk.exact.log_partition(pk.FactorGraph(PAIR, [pk.Custom([0, 1], score, w)]))  # noqa: E731
    weights = jnp.array([0.5, -1.0])
    expected = np.log(2 + np.exp(0.5) + np.exp(-1.0))
    np.testing.assert_allclose([log_z(weights), jax.jit(log_z)(weights)], expected, rtol=1e-6)
    np.testing.assert_allclose(jax.grad(log_z)(weights), np.exp(weights) / np.exp(expected), rtol=1e-5)


@pytest.mark.parametrize(
    "sampler", some(SAMPLERS, {"PerturbAndMAP", "Gibbs"}, name=lambda sampler: type(sampler).__name__)
)
def test_a_traced_table_forbids(sampler):
    table = np.array([[0.0, -np.inf], [-np.inf, 0.0]])

    def draw(table):
        model = pk.FactorGraph(PAIR, [pk.EdgeTables([[0, 1]], table)], {"x": [1.0, -0.5]})
        return pk.sample(KEY, model, sampler, num_samples=50, num_sweeps=50)["x"]

    inside = jax.jit(draw)(table)
    assert bool((inside[:, 0] == inside[:, 1]).all())
    np.testing.assert_array_equal(inside, draw(table))


def test_traced_unaries_and_counts_forbid():
    unaries = np.array([[[0, 1.0], [0, 1.0]], [[0, 1.0], [0, -np.inf]]])
    edge = pk.Edges([[0, 1]], 1.0)
    found = jax.vmap(lambda u: pk.solve(pk.FactorGraph(PAIR, [edge], u)))(unaries)
    assert found.score.tolist() == [3.0, 1.0]
    assert found.possible.tolist() == [True, True]
    logz = jax.vmap(lambda u: pk.exact.log_partition(pk.FactorGraph(PAIR, [], u)))(unaries)
    np.testing.assert_allclose(logz, [2 * np.logaddexp(0, 1), np.logaddexp(0, 1)], rtol=1e-6)
    count = jax.jit(lambda f: pk.exact.probabilities(pk.FactorGraph(PAIR, [pk.CountPotential([0, 1], f)])))
    np.testing.assert_allclose(count(np.array([0.0, -np.inf, np.log(3)])), [0.25, 0, 0, 0.75], rtol=1e-6)


class Restricted(eqx.Module):
    """A model whose graph computes -inf from its parameter: in a table, by a function, and in the unaries."""

    weight: jax.Array

    def graph(self):
        variables = pk.Variables(x=pk.Categorical(3, states=3))
        unequal = jnp.where(np.eye(3, dtype=bool), -jnp.inf, self.weight * np.arange(9.0).reshape(3, 3))
        far = pk.Custom([[1, 2]], lambda w, x: jnp.where(x[0] == x[1], -jnp.inf, w * x[0]), self.weight, states=3)
        unaries = jnp.where(np.arange(3) == 2, -jnp.inf, self.weight * jnp.ones((3, 3)))
        return pk.FactorGraph(variables, [pk.EdgeTables([[0, 1]], unequal), far], unaries)


def test_moments_are_the_derivative_of_the_log_partition_function():
    up, down = (float(pk.exact.log_partition(Restricted(jnp.array(w)))) for w in (0.31, 0.29))
    assert float(pk.exact.moments(Restricted(jnp.array(0.3))).weight) == pytest.approx((up - down) / 0.02, rel=1e-3)


def test_learning_does_not_change_with_forbidden_states():
    """The data are all states of the model, as often as their probabilities say; its weight is found again."""
    true = Restricted(jnp.array(0.5))
    numbers = np.rint(1000 * pk.exact.probabilities(true)).astype(int)
    many = {"x": np.repeat(np.array(list(np.ndindex(3, 3, 3))), numbers, axis=0)}
    found = pk.fit(KEY, Restricted(jnp.array(0.0)), many, pk.Gibbs(), steps=60, num_sweeps=10)
    assert 0.2 < float(found.model.weight) < 0.8


def test_lists_of_traced_numbers_are_scores():
    score = lambda *factors, **given: pk.score(pk.FactorGraph(PAIR, factors, **given), {"x": [1, 1]})  # noqa: E731
    assert jax.jit(lambda a: score(pk.EdgeTables([[0, 1]], [[a, 0.0], [0.0, a]])))(2.0) == 2.0
    assert jax.jit(lambda a: score(pk.CountPotential([0, 1], [0.0, 0.0, a])))(2.0) == 2.0
    assert jax.jit(lambda a: score(unaries={"x": [a, 0.0]}))(2.0) == 2.0
    with pytest.raises(TypeError, match="k: expected numbers with values, got traced ones"):
        jax.jit(lambda k: score(pk.ExactlyK([0, 1], k)))(1)


def test_a_function_of_known_numbers_has_a_known_table():
    """Otherwise each of its entries could be forbidden, so its messages would be those of a hard constraint."""

    def forbids(stiffness):
        return pk.Custom([[0, 1]], lambda params, x: params * (x[0] == x[1]), stiffness).hard

    assert not forbids(0.5)
    assert not jax.jit(lambda: forbids(0.5))()
    assert not jax.jit(forbids)(0.5)


STATES = {"x": np.array([[0, 1], [1, 1]])}
OUTSIDE = {
    "annealed_log_partition": lambda model, _: measures.annealed_log_partition(KEY, model),
    "cavity_marginals": lambda model, _: measures.cavity_marginals(KEY, model),
    "colours": lambda model, _: pk.colours(model),
    "diagnose": lambda model, _: pk.diagnose(KEY, model, num_samples=20, num_sweeps=1),
    "fit": lambda model, states: pk.fit(KEY, model, states, steps=1, num_sweeps=1),
    "fit_pseudo_likelihood": lambda model, states: pk.fit_pseudo_likelihood(KEY, model, states, steps=1),
    "log_partition_upper": lambda model, _: measures.log_partition_upper(KEY, model),
    "sample_until": lambda model, _: pk.sample_until(KEY, model),
    "save": lambda model, _: pk.save("never written.eqx", model),
    "stream": lambda model, _: pk.stream(KEY, model, num_samples=2, num_sweeps=1),
    "tempering": lambda model, _: measures.tempering(KEY, model, pk.ParallelTempering()),
    "tune": lambda model, _: pk.tune(KEY, model, 0.01),
    "tune_ladder": lambda model, _: pk.tune_ladder(KEY, model),
}


def pair_model():
    return pk.FactorGraph(PAIR, [pk.Edges([[0, 1]], 1.0)])


@pytest.mark.parametrize("name", OUTSIDE)
def test_functions_that_need_values_refuse_traced_arguments(name):
    with pytest.raises(TypeError, match=f"^{name}: expected arrays with values, got traced ones; "):
        jax.jit(lambda *given: OUTSIDE[name](*given))(pair_model(), STATES)


CASES = {  # whether a state is forbidden, or its score exists, depends on the value of the parameter
    "-inf at 1": (lambda p, x: jnp.where(x[0] == x[1], jnp.log(p), jnp.log1p(-p)), 0.3),
    "NaN below 2": (lambda p, x: jnp.log(p - 2.0) * x[0] * x[1], 2.5),
    "forbidden": (lambda p, x: jnp.where(x[0] == x[1], -jnp.inf, p * x[0]), 0.7),
}


@pytest.mark.parametrize("name", CASES)
def test_a_function_of_a_traced_number_allows_what_the_number_allows(name):
    function, number = CASES[name]
    scores = lambda p: pk.exact.log_weights(pk.FactorGraph(PAIR, [pk.Custom([0, 1], function, p)]))  # noqa: E731
    np.testing.assert_allclose(jax.jit(scores)(number), scores(number), rtol=1e-5)
