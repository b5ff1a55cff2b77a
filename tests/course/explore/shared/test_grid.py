"""The exact answers of small grids are those of enumeration."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.explore.shared import grid

SIDE = 4


@pytest.fixture(scope="module")
def model():
    draw = np.random.default_rng(0)
    edges = len(grid.pairs(SIDE))
    return grid.Grid(SIDE, draw.normal(0, 1.5, edges), draw.normal(0, 1.0, SIDE * SIDE))


def test_the_best_state_is_that_of_enumeration(model):
    scores = np.asarray(pk.exact.log_weights(model.graph()))
    states, score = grid.best(model)
    assert abs(score - scores.max()) < 1e-3
    assert (states.reshape(SIDE, SIDE) == pk.exact.map_state(model.graph())["x"]).all()
    assert abs(model.score(states) - score) < 1e-9


def test_samples_have_the_moments_of_the_model(model):
    drawn = grid.samples(model, 20_000, seed=1)
    p = np.asarray(pk.exact.marginals(model.graph())["x"])[..., 1].reshape(-1)
    assert (np.abs(drawn.mean(0) - p) < 4.5 * np.sqrt(p * (1 - p) / len(drawn)) + 1e-3).all()
    every = pk.exact.states(model.graph().variables)["x"].reshape(-1, SIDE * SIDE)
    weights, (i, j) = np.asarray(pk.exact.probabilities(model.graph())), grid.pairs(SIDE).T
    both = weights @ (every[:, i] & every[:, j])
    error = 4.5 * np.sqrt(both * (1 - both) / len(drawn)) + 1e-3
    assert (np.abs((drawn[:, i] & drawn[:, j]).mean(0) - both) < error).all()


def test_spins_agree_with_the_lattice_of_the_kit():
    one, other = grid.spins(SIDE, np.full(24, 0.3)).graph(), pk.ising_lattice(SIDE, 0.3, periodic=False)
    np.testing.assert_allclose(pk.exact.log_weights(one), pk.exact.log_weights(other), atol=1e-4)


def test_the_snake_is_a_chain():
    order, used = grid.snake(SIDE)
    assert sorted(order) == list(range(SIDE * SIDE))
    assert used.sum() == SIDE * SIDE - 1
    links = {tuple(sorted(pair)) for pair in grid.pairs(SIDE)[used].tolist()}
    assert links == {tuple(sorted(pair)) for pair in zip(order[:-1].tolist(), order[1:].tolist(), strict=True)}
