"""Colours: no factor joins two variables of a colour, and few colours are enough."""

import numpy as np
import pytest
from sampler_examples import small_rbm

import pmp_kit as pk


def check_colours(graph, colours):
    """Each variable has one colour, and no factor joins two of a colour."""
    assert sorted(np.concatenate(colours).tolist()) == list(range(graph.variables.count))
    for ids in colours:
        marked = np.zeros(graph.variables.count, bool)
        marked[ids] = True
        assert not any(factor.couples(marked) for factor in graph.factors)


@pytest.mark.parametrize(
    ("side", "periodic", "number"),
    [(4, True, 2), (6, True, 2), (5, False, 2), (3, True, 3), (5, True, 3), (7, True, 3)],
)
def test_lattices_take_two_colours_unless_they_are_odd_and_periodic(side, periodic, number):
    graph = pk.ising_lattice(side, periodic=periodic)
    colours = pk.colours(graph)
    check_colours(graph, colours)
    assert len(colours) == 2 if number == 2 else len(colours) in (3, 4)


def test_bipartite_graphs_take_two_colours_in_whatever_order_they_are_numbered():
    rng = np.random.default_rng(0)
    shuffled = rng.permutation(40)
    tree = np.array([[i, rng.integers(i)] for i in range(1, 40)])
    for graph in (
        small_rbm().graph(),
        pk.FactorGraph(pk.Variables(x=pk.Binary(40)), [pk.Edges(shuffled[tree], 1.0)]),
        pk.FactorGraph(
            pk.Variables(x=pk.Binary(40)), [pk.Edges(shuffled[rng.integers([0, 20], [20, 40], (90, 2))], 1.0)]
        ),
    ):
        colours = pk.colours(graph)
        check_colours(graph, colours)
        assert len(colours) == 2
