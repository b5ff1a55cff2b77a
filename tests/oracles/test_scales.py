"""The properties of solvers at any scale in 64 bits, and what the reports of faults at mixed scales said."""

import numpy as np

import pmp_kit as pk
from laws.test_scale_properties import test_forests, test_solvers
from solvers.test_scales import test_bounds, test_cuts, test_exhaustive_search, test_trees

__all__ = ["test_bounds", "test_cuts", "test_exhaustive_search", "test_forests", "test_solvers", "test_trees"]


def test_the_minimum_cut_uses_capacities_to_their_last_bit():
    """Scales that no common step of a 32-bit integer resolves, with the maximum decided by the smallest score."""
    for small in (1e-3, 1e-6, 1e-9):
        pairs, weight = [[0, 1], [1, 2], [3, 4]], [4.0 * small, 4.0 * small, 1e6]
        unaries = np.array([small, -2.5 * small, -small, 1e6, -5e5 - small])
        model = pk.FactorGraph(pk.Variables(x=pk.Binary(5)), [pk.Edges(pairs, weight)], {"x": unaries})
        solved = pk.solve(model, pk.MaxFlow())
        assert solved.states["x"].tolist() == pk.exact.map_state(model)["x"].tolist() == [1, 1, 1, 1, 1]
