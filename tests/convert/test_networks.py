"""Networks of pgmpy, machines of scikit-learn and hidden Markov models have the probabilities of the original."""

from itertools import product
from types import SimpleNamespace

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.convert import from_bernoulli_rbm, from_hmm, from_pgmpy


def factor(variables, values, **state_names):
    """Return what `from_pgmpy` reads of a factor."""
    values = np.array(values, float)
    return SimpleNamespace(
        variables=variables, cardinality=np.array(values.shape), values=values, state_names=state_names
    )


RAIN = factor(["rain"], [0.8, 0.2], rain=["no", "yes"])
CITY = factor(["city"], [1.0], city=["here"])
WET = factor(["wet", "rain", "city"], [[[0.9], [0.0]], [[0.1], [0.4]], [[0.0], [0.6]]],
             wet=["dry", "damp", "wet"], rain=["no", "yes"], city=["here"])  # fmt: skip


def test_a_bayesian_network_of_pgmpy_with_names_of_states():
    network = SimpleNamespace(nodes=lambda: ["wet", "city", "rain"], get_cpds=lambda: [RAIN, CITY, WET])
    model = from_pgmpy(network)
    assert model.names == ("wet", "city", "rain")
    assert model.state_names == {"wet": ("dry", "damp", "wet"), "city": ("here",), "rain": ("no", "yes")}
    assert pk.exact.log_partition(model) + model.constant == pytest.approx(0.0, abs=1e-6)
    seen = model.evidence({"wet": "damp", "city": "here"})
    probability = pk.exact.marginals(model, seen)["x2"][0, 1]
    assert probability == pytest.approx(0.2 * 0.4 / (0.8 * 0.1 + 0.2 * 0.4))
    joint = pk.score(model, model.blocks([[1, 0, 1], [2, 0, 0]])) + model.constant
    np.testing.assert_allclose(np.exp(joint), [0.2 * 0.4, 0.0], rtol=1e-6)
    with pytest.raises(ValueError, match="a state of 'wet' among 'dry', 'damp', 'wet', got 'soaked'"):
        model.evidence({"wet": "soaked"})


def test_a_markov_network_of_pgmpy_without_names():
    one, two = factor(["b", "a"], [[1.0, 2.0], [3.0, 4.0], [5.0, 0.5]]), factor(["a"], [2.0, 0.1])
    network = SimpleNamespace(nodes=lambda: ["a", "b"], get_factors=lambda: [one, two])
    model = from_pgmpy(network)
    assert model.names == ("a", "b")
    for a, b in product(range(2), range(3)):
        value = np.exp(pk.score(model, model.blocks([a, b])) + model.constant)
        assert value == pytest.approx(one.values[b, a] * two.values[a], rel=1e-6)
    with pytest.raises(ValueError, match="a factor of each variable, got none of 'c'"):
        from_pgmpy(SimpleNamespace(nodes=lambda: ["a", "b", "c"], get_factors=lambda: [one, two]))
    with pytest.raises(ValueError, match=r"values from 0 on in the factor of \['a'\]"):
        from_pgmpy(SimpleNamespace(nodes=lambda: ["a"], get_factors=lambda: [factor(["a"], [1.0, -1.0])]))


def test_a_machine_of_scikit_learn():
    rng = np.random.default_rng(0)
    estimator = SimpleNamespace(components_=rng.normal(size=(2, 4)), intercept_visible_=rng.normal(size=4),
                                intercept_hidden_=rng.normal(size=2))  # fmt: skip
    model = from_bernoulli_rbm(estimator)
    for v, h in product(product((0, 1), repeat=4), product((0, 1), repeat=2)):
        score = np.dot(h, estimator.components_ @ v) + np.dot(estimator.intercept_visible_, v)
        score += np.dot(estimator.intercept_hidden_, h)
        assert pk.score(model, {"v": v, "h": h}) == pytest.approx(score, abs=1e-5)
    with pytest.raises(ValueError, match="call its fit first"):
        from_bernoulli_rbm(SimpleNamespace())


START, MOVES = np.array([0.6, 0.4]), np.array([[0.9, 0.1], [0.0, 1.0]])
EMITTED = np.array([[0.5, 0.25, 0.25], [0.1, 0.0, 0.9]])


def forward(symbols):
    """Return p(symbols), None for unknown ones, by the forward algorithm."""
    alpha = START
    for number, symbol in enumerate(symbols):
        alpha = (alpha if number == 0 else alpha @ MOVES) * (1.0 if symbol is None else EMITTED[:, symbol])
    return alpha.sum()


def test_a_hidden_markov_model_given_its_symbols():
    model = from_hmm(START, MOVES, EMITTED, observations=[0, 2, pk.FREE, 1])
    assert model.names == tuple(("state", step) for step in range(4))
    assert pk.exact.log_partition(model) == pytest.approx(np.log(forward([0, 2, None, 1])), rel=1e-5)
    paths = pk.sample(jax.random.key(0), model, pk.ForwardBackward(), num_samples=20, num_sweeps=0)
    assert (paths["state"] == 0).all()  # the symbol 1 is only emitted by state 0, and state 1 is never left


def test_the_joint_model_of_states_and_symbols():
    model = from_hmm(START, MOVES, EMITTED, steps=3)
    assert pk.exact.log_partition(model) == pytest.approx(0.0, abs=1e-5)
    seen = model.evidence({("symbol", 0): 2, ("symbol", 2): 0})
    assert np.exp(pk.exact.log_partition(model, seen)) == pytest.approx(forward([2, None, 0]), rel=1e-5)


def test_wrong_arguments_of_a_hidden_markov_model():
    with pytest.raises(ValueError, match="transition: expected probabilities whose last axis sums to 1"):
        from_hmm(START, MOVES.T, EMITTED, steps=3)
    with pytest.raises(ValueError, match=r"emission: expected shape \(2, 'any'\), got \(3, 2\)"):
        from_hmm(START, MOVES, EMITTED.T, steps=3)
    with pytest.raises(ValueError, match=r"observations: expected .* 0 \.\. 2"):
        from_hmm(START, MOVES, EMITTED, observations=[0, 3])
    with pytest.raises(ValueError, match="either observations or steps, got both or none"):
        from_hmm(START, MOVES, EMITTED)
