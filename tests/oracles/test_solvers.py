"""Solvers against enumeration in float64: trees are solved exactly, exhaustive search always is."""

import jax
import numpy as np
import pytest
from oracle import joint_scores, joint_states
from pair_models import tree
from symmetric import symmetric

import pmp_kit as pk


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_trees_are_solved_exactly(states, damping):
    """Undamped, a tree is exact after as many sweeps as its diameter; damped, it gets there in the limit."""
    for seed in range(10):
        graph, unaries, tables = tree(seed, states)
        scores = joint_scores(unaries, tables)
        solver = pk.MaxProduct(damping, keep_best=False, tolerance=0.0)
        solved = pk.solve(graph, solver, num_sweeps=8 if damping == 0 else 120)
        assert solved.states["x"].tolist() == joint_states([states] * 8)[scores.argmax()].tolist()
        np.testing.assert_allclose(solved.score, scores.max(), rtol=1e-12)


def test_exhaustive_finds_the_best_state_of_every_copy():
    """More joint states than one block, and clamps that differ from copy to copy."""
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(13, 13))
    model = pk.Ising(symmetric(weight), rng.normal(size=13))
    evidence = rng.choice([pk.FREE, 0, 1], size=(20, 13))
    solved = pk.solve(model, pk.Exhaustive(), evidence={"x": evidence})
    scores, every = np.asarray(pk.exact.log_weights(model)), joint_states([2] * 13)
    for copy, known in enumerate(evidence):
        allowed = ((known == pk.FREE) | (every == known)).all(1)
        assert solved.score[copy] == pytest.approx(scores[allowed].max(), rel=1e-12)
        np.testing.assert_array_equal(solved.states["x"][copy], every[allowed][scores[allowed].argmax()])
    assert solved.converged.all()
    assert (solved.sweeps == 0).all()


@pytest.mark.parametrize("kind", [pk.MaxProduct, pk.MPLP])
def test_the_best_decode_is_never_worse_than_the_last(kind):
    """And at some of these numbers of sweeps it is better."""
    rng, gains = np.random.default_rng(1), []
    for seed in range(5):
        weight = rng.uniform(-6, 6, size=(12, 12))
        model = pk.Ising(symmetric(weight), rng.normal(size=12))
        exact = float(pk.exact.log_weights(model).max())
        for sweeps in (0, 1, 5, 6, 9, 13, 23, 100):
            last = pk.solve(model, kind(keep_best=False, tolerance=0.0), num_sweeps=sweeps)
            best = pk.solve(model, kind(keep_best=True, tolerance=0.0), num_sweeps=sweeps)
            assert last.score <= best.score + 1e-12 <= exact + 2e-12, seed
            gains.append(best.score - last.score)
    assert max(gains) > 1e-3


def test_converged_means_that_the_next_sweep_changes_nothing():
    graph, _, _ = tree(0, 3)
    solved = pk.solve(graph, pk.MaxProduct(tolerance=1e-8), num_sweeps=500)
    assert solved.converged
    assert solved.sweeps < 500
    sampler = pk.PMP(tolerance=0.0, noise=pk.Gumbel(0.0))
    run = pk.trace(jax.random.key(0), graph, sampler, num_sweeps=int(solved.sweeps), observe=pk.observe.residual)
    assert run.values[-1, 0] < 1e-8 < run.values[0, 0]
