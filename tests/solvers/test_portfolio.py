"""Portfolios: the best answer of several solvers, and an end where a bound certifies it."""

import numpy as np
import pytest
from pair_models import frustrated, tree

import pmp_kit as pk

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
