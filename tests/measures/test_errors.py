"""Errors against a truth: moments, parameters, and the divergence of a small model."""

import itertools

import numpy as np
import pytest
from small_models import exact_samples, weak
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit import measures


def test_moment_errors_by_hand():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (30, 5)), rng.integers(0, 2, (40, 5))
    got = measures.moment_errors(x, y)
    assert got.first == pytest.approx(np.sqrt(np.mean((x.mean(0) - y.mean(0)) ** 2)))
    gaps = [(x[:, i] * x[:, j]).mean() - (y[:, i] * y[:, j]).mean() for i, j in itertools.combinations(range(5), 2)]
    assert got.second == pytest.approx(np.sqrt(np.mean(np.square(gaps))))


def test_the_errors_of_a_binary_block_do_not_depend_on_other_blocks():
    """Beside a block with a state 2, variables that are always 0 were left out of the mean."""
    x, y = np.random.default_rng(0).integers(0, 2, (2, 50, 1))
    zero = np.zeros((50, 2), int)
    one, other = ({"a": zero, "b": states, "c": np.full((50, 1), 2)} for states in (x, y))
    alone, beside = measures.moment_errors({"a": zero, "b": x}, {"a": zero, "b": y}), measures.moment_errors(one, other)
    assert beside.first * 5**0.5 == pytest.approx(alone.first * 3**0.5)  # the other two columns of block c are right


def test_moment_errors_of_many_states_by_hand():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 3, (30, 3)), rng.integers(0, 3, (40, 3))
    got = measures.moment_errors({"x": x}, {"x": y})
    first = [(x[:, i] == c).mean() - (y[:, i] == c).mean() for i in range(3) for c in (1, 2)]
    assert got.first == pytest.approx(np.sqrt(np.mean(np.square(first))))
    second = [
        ((x[:, i] == c) & (x[:, j] == d)).mean() - ((y[:, i] == c) & (y[:, j] == d)).mean()
        for i, j in itertools.combinations(range(3), 2) for c in (1, 2) for d in (1, 2)
    ]  # fmt: skip
    assert got.second == pytest.approx(np.sqrt(np.mean(np.square(second))))


def test_parameter_errors_leave_out_what_counts_for_nothing():
    rng = np.random.default_rng(0)
    weight, other = rng.normal(size=(2, 4, 4))
    weight, other = symmetric(weight), symmetric(other)
    got = measures.parameter_errors(pk.Ising(weight, np.zeros(4)), pk.Ising(other, np.full(4, 0.5)))
    off = ~np.eye(4, dtype=bool)
    assert got.factors == pytest.approx(np.sqrt(np.mean((weight - other)[off] ** 2)), rel=1e-5)
    assert got.unaries == pytest.approx(0.5)


def test_parameter_errors_do_not_see_constants_of_unaries():
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(1))
    unaries = np.random.default_rng(0).normal(size=(3, 3))
    one, other = (pk.FactorGraph(variables, unaries=u) for u in (unaries, unaries + np.array([[1.0], [2.0], [3.0]])))
    assert measures.parameter_errors(one, other).unaries == pytest.approx(0.0, abs=1e-6)
    assert measures.parameter_errors(one, other).factors == 0.0
    odd = unaries.copy()
    odd[2, :2] += [0.0, 0.6]  # the third state of y does not exist
    gap = measures.parameter_errors(pk.FactorGraph(variables, unaries=odd), other).unaries
    assert gap == pytest.approx(np.sqrt(0.6**2 / 7), rel=1e-5)  # x has six numbers, y one


def test_a_binary_variable_has_the_same_error_beside_a_block_with_more_states():
    alone, beside = pk.Variables(b=pk.Binary(1)), pk.Variables(b=pk.Binary(1), c=pk.Categorical(1, states=3))
    for variables, error in ((alone, 1.0), (beside, 0.5)):  # beside it, over four numbers, of which three are right
        truth, model = pk.FactorGraph(variables), pk.FactorGraph(variables, unaries={"b": [1.0]})
        assert measures.parameter_errors(model, truth).unaries == pytest.approx(error)


def test_parameter_errors_see_every_parameter():
    """Two tables that differ in one entry far from the state of mean 1/2, and by 7 nats."""
    variables, table = pk.Variables(x=pk.Binary(3)), np.zeros((2, 2, 2))
    other = table.copy()
    other[1, 0, 1] = 7.0
    one, two = (pk.FactorGraph(variables, [pk.NWise([0, 1, 2], t)]) for t in (table, other))
    assert measures.parameter_errors(one, two).factors == pytest.approx(7.0 / np.sqrt(8))
    one, two = (pk.FactorGraph(variables, [pk.CountPotential([0, 1, 2], [0.0, 1.0, 0.0, f])]) for f in (0.0, 2.0))
    assert measures.parameter_errors(one, two).factors == pytest.approx(1.0)


def test_parameter_errors_of_groups_of_dense_factors_leave_out_each_diagonal():
    variables, at = pk.Variables(x=pk.Binary(2, 3)), np.arange(6).reshape(2, 3)
    weight = np.broadcast_to(1 - np.eye(3), (2, 3, 3))
    one, other = (pk.FactorGraph(variables, [pk.DensePairwise(at, w * weight)]) for w in (1.0, 3.0))
    assert measures.parameter_errors(one, other).factors == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("make", "scores"),
    [
        (lambda scores: pk.NWise([0, 1, 2], scores), np.arange(8.0).reshape(2, 2, 2)),
        (lambda scores: pk.EdgeTables([[0, 1]], scores), np.arange(4.0).reshape(2, 2)),
        (lambda scores: pk.CountPotential([0, 1, 2], scores), np.arange(4.0)),
    ],
    ids=["NWise", "EdgeTables", "CountPotential"],
)
def test_forbidden_entries_are_no_parameters(make, scores):
    """What is left differs by 1 everywhere; forbidden entries would make the mean smaller."""
    scores = np.where(scores == 1.0, -np.inf, scores)
    one, other = (pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(s)]) for s in (scores, scores + 1.0))
    assert measures.parameter_errors(one, other).factors == pytest.approx(1.0)
    moved = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(np.where(np.isinf(scores), 0.0, scores))])
    with pytest.raises(ValueError, match=r"model: expected the (wiring|factors) of the truth"):
        measures.parameter_errors(moved, one)


def test_parameter_errors_of_unaries_leave_out_forbidden_states():
    variables = pk.Variables(x=pk.Categorical(2, states=3))
    unaries = np.array([[0.0, 1.0, -np.inf], [0.0, 0.0, 0.0]])
    shift = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    one, other = (pk.FactorGraph(variables, unaries=u) for u in (unaries, unaries + shift))
    assert measures.parameter_errors(one, other).unaries == pytest.approx(np.sqrt(2 / 5))  # +-1 of two of five


def test_divergence_by_hand():
    model = weak(n=3)
    samples = {"x": np.array([[0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 1, 1]])}
    p = np.asarray(pk.exact.probabilities(model), float)
    counts = np.array([1, 2, 0, 0, 0, 0, 0, 1])
    q = (counts + 0.5) / 8
    assert measures.divergence(model, samples) == pytest.approx(np.sum(p * np.log(p / q)), rel=1e-5)
    assert measures.divergence(model, samples, pseudo_count=0.0) == np.inf


def test_divergence_of_exact_samples_is_its_bias():
    """(M - 1) / 2N on average."""
    model = weak(n=4)
    got = np.mean([measures.divergence(model, exact_samples(model, 2000, seed)) for seed in range(30)])
    assert got == pytest.approx(15 / 4000, rel=0.25)


def test_divergence_counts_possible_states_alone():
    """12 of 4,096 states are possible. A sample in another state is a share of the samples like any other."""
    variables = pk.Variables(x=pk.Binary(12))
    model = pk.FactorGraph(variables, [pk.ExactlyOne([range(12)])])
    possible = np.eye(12, dtype=int)
    assert measures.divergence(model, {"x": possible}) == pytest.approx(0.0, abs=1e-6)
    got = measures.divergence(model, {"x": np.concatenate([possible, 1 - possible])})
    assert got == pytest.approx(np.log((12 * 1.5 + 12) / (12 * 1.5)), rel=1e-5)


def test_divergence_counts_states_whose_probability_is_below_the_smallest_float():
    """The model allows all 8 states, but in float32 the probability of 7 of them is 0."""
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), unaries={"x": np.full(3, 200.0)})
    got = measures.divergence(model, {"x": np.ones((4, 3), int)})
    assert got == pytest.approx(np.log((4 + 8 * 0.5) / (4 + 0.5)), rel=1e-5)
