"""Portfolios: the best answer of several solvers, and an end where a bound certifies it."""

import jax
import numpy as np
import pytest
from pair_models import frustrated, tree
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.solvers.together import teams

CERTIFYING = {
    "tree pass": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.TreePass()),
    "linear program": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.LinearProgram()),
    "MPLP": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.MPLP(tolerance=0.0)),
    "polished": pk.Portfolio(pk.Polished(pk.MaxProduct(tolerance=0.0)), pk.Portfolio(pk.MPLP(tolerance=0.0))),
}


@pytest.mark.parametrize("name", CERTIFYING)
def test_a_portfolio_whose_bound_equals_its_score_stops_and_is_converged(name):
    """None of its solvers would ever stop by itself; on a tree the relaxation is tight."""
    graph = tree(1, 3).graph
    solved = pk.solve(graph, CERTIFYING[name], num_sweeps=2000)
    assert solved.converged
    assert solved.sweeps < 2000
    size = np.abs(graph.unaries).sum() + np.abs(graph.factors[0].table).sum()
    assert solved.score <= solved.bound <= solved.score + 8 * np.finfo(np.float32).eps * size
    assert solved.states["x"].tolist() == pk.exact.map_state(graph)["x"].tolist()


def test_a_portfolio_with_a_loose_bound_is_not_certified():
    solved = pk.solve(frustrated(), CERTIFYING["linear program"], num_sweeps=50)
    assert solved.bound > solved.score + 1.0
    assert solved.sweeps == 50
    assert not solved.converged


def penalised(size=12, states=44, reach=3, seed=0):
    """Channels of transmitters: a penalty of 1000 for close channels, which no good answer has."""
    rng = np.random.default_rng(seed)
    channel = np.arange(states)
    table = np.where(np.abs(channel[:, None] - channel) <= reach, -1000.0, 0.0)
    pairs = [(i, j) for j in range(size) for i in range(j)]
    variables = pk.Variables(x=pk.Categorical(size, states=states))
    return pk.FactorGraph(variables, [pk.EdgeTables(pairs, table)], 3 * rng.normal(size=(size, states)))


def gap_in_float64(graph, solved):
    """The bound minus the score of the states, whose terms are added in float64, and the sum of the absolute terms."""
    states = solved.states["x"]
    terms = [np.asarray(graph.unaries, float)[np.arange(len(states)), states]]
    for factor in graph.factors:
        pairs, tables = (np.asarray(part) for part in factor.pair_tables())
        terms.append(tables.astype(float)[np.arange(len(pairs)), states[pairs[:, 0]], states[pairs[:, 1]]])
    terms = np.concatenate(terms)
    return float(solved.bound) - terms.sum(), np.abs(terms).sum()


@pytest.mark.slow
def test_penalties_that_no_good_answer_has_do_not_loosen_the_proof():
    """Eight eps of the sum of all scores is 170 nats here; the bound is more than a nat above the best score found."""
    graph = penalised()
    solved = pk.solve(graph, pk.Portfolio(pk.MaxProduct(), pk.MPLP()), num_sweeps=12)
    assert gap_in_float64(graph, solved)[0] > 1.0
    assert not solved.converged


@pytest.mark.parametrize("seed", range(4))
def test_a_claimed_proof_holds_in_float64(seed):
    """Constants that cancel: 32 bits cannot hold the sums, so a bound can be below the best score by rounding."""
    rng = np.random.default_rng(seed)
    pairs = [(i, i + 1) for i in range(7)] + [(7, 0)]
    tables = rng.normal(size=(8, 3, 3)) + 3e4 * rng.choice([-1, 1], size=(8, 1, 1))
    variables = pk.Variables(x=pk.Categorical(8, states=3))
    graph = pk.FactorGraph(variables, [pk.EdgeTables(pairs, tables)], rng.normal(size=(8, 3)))
    solved = pk.solve(graph, pk.Portfolio(pk.MaxProduct(), pk.MPLP(tolerance=0.0)), num_sweeps=200)
    gap, size = gap_in_float64(graph, solved)
    assert gap >= 0.0
    assert not solved.converged or gap <= 9 * np.finfo(np.float32).eps * size


MEMBERS = {
    "orders": lambda k: pk.MaxProduct(schedule=pk.RandomMask(jax.random.key(k), 0.3 + 0.1 * k)),
    "starts": lambda k: pk.MaxProduct(0.1 * k, start=pk.NeutralStart(float(k)), patience=12 * (k % 2)),
    "random": lambda k: pk.MaxProduct(0.3, start=pk.RandomStart(jax.random.key(k)), keep_best=k % 2 == 0),
    "mixed": lambda k: pk.MaxProduct(start=("zero", pk.RandomStart(jax.random.key(k)))[k % 2], tolerance=1e-3 * k),
}


@pytest.mark.parametrize("kind", some(MEMBERS, {"mixed"}))
def test_members_that_are_compiled_once_find_what_each_finds_alone(kind):
    """Their scores and states at the end, for several problems at once; the portfolio returns the best of them."""
    graph, members = frustrated().graph(), [MEMBERS[kind](k) for k in range(3)]
    assert [places for places, _ in teams(tuple(members))] == [[0, 1, 2]]
    x = np.full((4, graph.variables.count), pk.FREE)
    x[1:, 0], x[2:, 3] = 1, 0
    alone = [pk.solve(graph, member, num_sweeps=40, evidence={"x": x}) for member in members]
    together = pk.solve(graph, pk.Portfolio(*members), num_sweeps=40, evidence={"x": x})
    scores = np.stack([one.score for one in alone])
    np.testing.assert_allclose(together.score, scores.max(0), rtol=1e-5)
    first = scores.argmax(0)
    for problem, member in enumerate(first):
        assert together.states["x"][problem].tolist() == alone[member].states["x"][problem].tolist()
        assert together.converged[problem] == alone[member].converged[problem]


def test_only_members_of_the_same_program_are_compiled_together():
    mask, others = pk.MaxProduct(schedule=pk.RandomMask(jax.random.key(0))), (pk.MaxProduct(), pk.MPLP())
    places = [places for places, _ in teams((others[0], mask, others[1], pk.MaxProduct(0.2), mask))]
    assert places == [[0, 3], [1, 4], [2]]
