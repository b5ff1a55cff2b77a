"""Errors against a truth: moments, parameters, and the divergence of a small model."""

import itertools

import numpy as np
import pytest
from small_models import weak
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


@pytest.mark.parametrize(
    ("make", "scores"),
    [
        (lambda scores: pk.NWise([0, 1, 2], scores), np.arange(8.0).reshape(2, 2, 2)),
        (lambda scores: pk.CountPotential([0, 1, 2], scores), np.arange(4.0)),
    ],
    ids=["NWise", "CountPotential"],
)
def test_forbidden_entries_are_no_parameters(make, scores):
    """What is left differs by 1 everywhere; forbidden entries would make the mean smaller."""
    scores = np.where(scores == 1.0, -np.inf, scores)
    one, other = (pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(s)]) for s in (scores, scores + 1.0))
    assert measures.parameter_errors(one, other).factors == pytest.approx(1.0)
    moved = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(np.where(np.isinf(scores), 0.0, scores))])
    with pytest.raises(ValueError, match=r"model: expected the (wiring|factors) of the truth"):
        measures.parameter_errors(moved, one)


def test_divergence_by_hand():
    model = weak(n=3)
    samples = {"x": np.array([[0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 1, 1]])}
    p = np.asarray(pk.exact.probabilities(model), float)
    counts = np.array([1, 2, 0, 0, 0, 0, 0, 1])
    q = (counts + 0.5) / 8
    assert measures.divergence(model, samples) == pytest.approx(np.sum(p * np.log(p / q)), rel=1e-5)
    assert measures.divergence(model, samples, pseudo_count=0.0) == np.inf


def test_divergence_counts_possible_states_alone():
    """12 of 4,096 states are possible. A sample in another state is a share of the samples like any other."""
    variables = pk.Variables(x=pk.Binary(12))
    model = pk.FactorGraph(variables, [pk.ExactlyOne([range(12)])])
    possible = np.eye(12, dtype=int)
    assert measures.divergence(model, {"x": possible}) == pytest.approx(0.0, abs=1e-6)
    got = measures.divergence(model, {"x": np.concatenate([possible, 1 - possible])})
    assert got == pytest.approx(np.log((12 * 1.5 + 12) / (12 * 1.5)), rel=1e-5)
