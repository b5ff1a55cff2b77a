"""Portfolios: the best answer of several solvers, and an end where a bound certifies it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pair_models import dense, frustrated, glass, tree

import pmp_kit as pk

KEY = jax.random.key(0)


@pytest.mark.slow
def test_a_portfolio_is_as_good_as_its_best():
    solvers = [pk.MaxProduct(start=s) for s in ("zero", "neutral", pk.NeutralStart(2.0), pk.RandomStart(KEY, 3.0))]
    solvers.insert(0, pk.MPLP())
    model = glass(0)
    evidence = {"x": np.where(np.random.default_rng(0).random((30, 12)) < 0.1, 1, pk.FREE)}
    alone = [pk.solve(model, s, num_sweeps=50, evidence=evidence) for s in solvers]
    together = pk.solve(model, pk.Portfolio(*solvers), num_sweeps=50, evidence=evidence)
    scores = np.stack([answer.score for answer in alone])
    np.testing.assert_allclose(together.score, scores.max(0), rtol=1e-6)
    np.testing.assert_allclose(together.bound, alone[0].bound, rtol=1e-6)
    assert (scores.argmax(0) > 0).any()


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


def of_a_large_parameter(parameter, x):
    """A score of ordinary size whose parameter is large."""
    return parameter / 1e9 * jnp.where(x[0] == x[1], -1.0, 1.0)


def test_large_parameters_of_a_function_certify_nothing():
    """Rounding is relative to the scores of `Custom`, not to its parameters."""
    pairs = [[0, 1], [1, 2], [2, 0]]
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Custom(pairs, of_a_large_parameter, -1e9)])
    solved = pk.solve(graph, CERTIFYING["MPLP"], num_sweeps=50)
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Custom(pairs, of_a_large_parameter, 1e9)])
    frustrated = pk.solve(graph, CERTIFYING["MPLP"], num_sweeps=50)
    assert solved.converged
    assert frustrated.bound > frustrated.score + 1.0
    assert not frustrated.converged


@pytest.mark.slow
@pytest.mark.parametrize("name", ["linear program", "MPLP"])
def test_a_certified_sample_rests_while_others_go_on(name):
    """So that samples, and the sweeps that they used, do not depend on the chunk."""
    model, sampler = dense(3, size=6), pk.PerturbAndMAP(CERTIFYING[name])
    alone, padded = (pk.sample(KEY, model, sampler, num_samples=12, num_sweeps=60, chunk=chunk) for chunk in (1, 5))
    np.testing.assert_array_equal(alone["x"], padded["x"])
    np.testing.assert_array_equal(alone.sweeps, padded.sweeps)
    assert alone.sweeps.min() < 60
