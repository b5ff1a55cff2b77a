"""A large score of one factor does not absorb the scores of others: messages are relative to its best entry."""

import jax
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk

PAIRS = np.array([[0, 1], [1, 2]])
UNARIES = np.array([[0.3, 0.0, -0.2], [0.1, 0.5, 0.0], [0.0, 0.0, 0.4]])
SAME = np.eye(3)
STRONG = {
    "Potts": lambda score: pk.Potts(PAIRS, score, states=3),
    "EdgeTables": lambda score: pk.EdgeTables(PAIRS, score * SAME),
    "NWise": lambda score: pk.NWise(PAIRS, score * SAME),
    "Custom": lambda score: pk.Custom(PAIRS, lambda weight, states: weight * (states[0] == states[1]), score, 3),
}


@pytest.mark.parametrize("kind", some(STRONG, {"Potts"}))
def test_strong_pairs_are_equal_in_the_best_state(kind):
    """Without the best entry as reference, a cavity score of 0.5 is lost beside 1e8, and the pair is ignored."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=3)), [STRONG[kind](1e8)], {"x": UNARIES})
    for solver in (pk.MaxProduct(keep_best=False), pk.SumProduct()):
        solved = pk.solve(graph, solver)
        assert solved.converged
        assert solved.states["x"].tolist() == [1, 1, 1], solver


def test_a_strong_count_is_kept():
    """Three variables should have an odd number of ones. The cheapest single 1 costs 0.7, three cost 2.4."""
    graph = pk.FactorGraph(
        pk.Variables(x=pk.Binary(3)), [pk.CountPotential([0, 1, 2], [0.0, 1e8, 0.0, 1e8])], {"x": [-0.9, -0.8, -0.7]}
    )
    for solver in (pk.MaxProduct(keep_best=False), pk.SumProduct(temperature=0.1)):
        assert pk.solve(graph, solver).states["x"].tolist() == [0, 0, 1], solver
    samples = pk.sample(jax.random.key(0), graph, num_samples=200, num_sweeps=20)["x"]
    assert (samples.sum(1) % 2 == 1).all()
