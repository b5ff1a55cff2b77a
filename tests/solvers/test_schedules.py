"""Schedules of max-product: sides of a group in turn, and a random part of the messages."""

import jax
import numpy as np
import pytest
from pair_models import dense, tree
from slow_parameters import some

import pmp_kit as pk

KEY = jax.random.key(0)


def test_alternating_refuses_a_group_that_has_no_sides():
    for graph in (dense(0), pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.Parity(np.arange(4))])):
        with pytest.raises(ValueError, match="schedule: expected factors to alternate between, got one group of"):
            pk.solve(graph, pk.MaxProduct(schedule=pk.Alternating()))
        sampler = pk.PersistentPMP(solver=pk.MaxProduct(schedule=pk.Alternating()))
        with pytest.raises(ValueError, match="schedule: expected factors to alternate between"):
            pk.sample(KEY, graph, sampler, num_samples=1, num_sweeps=1)


CHAIN = np.stack([np.arange(11), np.arange(1, 12)], 1)

PAIRS = {
    "Edges": lambda pairs: pk.Edges(pairs, 6.0),
    "Potts": lambda pairs: pk.Potts(pairs, 3.0, states=2),
    "EdgeTables": lambda pairs: pk.EdgeTables(pairs, [[3.0, 0.0], [0.5, 3.0]]),
}


@pytest.mark.parametrize("kind", some(PAIRS, {"Edges"}))
def test_a_group_of_pairs_gets_its_sides_from_its_colours(kind):
    """On a chain a message crosses two pairs in a sweep of Alternating: 6 sweeps do what 12 of flooding do, not 10."""
    odds = np.full(12, -6.0 if kind == "Edges" else 0.0)  # the weights of Edges favour ones: neutral against that
    odds[[0, -1]] /= 2.0
    odds[0] += 2.0
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(12)), [PAIRS[kind](CHAIN)], {"x": odds})

    def beliefs(schedule, sweeps):
        sampler = pk.PerturbAndMAP(pk.MaxProduct(0.0, "neutral", False, 0.0, schedule=schedule), pk.Gumbel(0.0))
        seen = pk.trace(KEY, graph, sampler, num_sweeps=sweeps, every=sweeps, observe=pk.observe.beliefs)
        return seen.values["x"][-1]

    np.testing.assert_allclose(beliefs(pk.Alternating(), 6), beliefs(pk.Flooding(), 12), atol=1e-5)
    assert np.abs(beliefs(pk.Flooding(), 10) - beliefs(pk.Flooding(), 12)).max() > 1e-3


@pytest.mark.parametrize("schedule", [pk.Alternating(), pk.RandomMask(KEY, 0.3)], ids=["alternating", "random mask"])
def test_schedules_share_the_fixed_points_of_flooding(schedule):
    graph = tree(2, 3).graph
    solved = pk.solve(graph, pk.MaxProduct(tolerance=1e-5, schedule=schedule), num_sweeps=500)
    assert solved.converged
    assert solved.score == pytest.approx(pk.solve(graph, pk.TreePass()).score, rel=1e-5)
