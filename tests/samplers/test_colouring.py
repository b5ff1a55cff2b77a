"""Colours: no factor joins two variables of a colour, and few colours are enough."""

import jax
import numpy as np
import pytest
from sampler_examples import small_ising, small_potts, small_rbm

import pmp_kit as pk
from pmp_kit.samplers.colouring import tables

KEY = jax.random.key(0)


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


def test_colours_of_other_graphs():
    rng = np.random.default_rng(1)
    pairs = rng.integers(200, size=(400, 2))
    sparse = pk.FactorGraph(pk.Variables(x=pk.Binary(200)), [pk.Edges(pairs[pairs[:, 0] != pairs[:, 1]], 1.0)])
    check_colours(sparse, pk.colours(sparse))
    assert len(pk.colours(sparse)) <= 6
    assert len(pk.colours(small_ising())) == 6
    assert [len(ids) for ids in pk.colours(pk.FactorGraph(pk.Variables(x=pk.Binary(7))))] == [7]
    check_colours(small_potts(), pk.colours(small_potts()))


def test_gibbs_by_colours_needs_as_many_steps_as_colours():
    model = pk.ising_lattice(6)
    sampler = pk.Gibbs(pk.colours(model))
    assert [table.shape for table in tables(sampler.blocks, model.variables)] == [(2, 18)]
    ones = pk.sample(KEY, model, sampler, num_samples=50, num_sweeps=0, evidence={"x": np.ones((6, 6), int)})
    x = pk.sample(KEY, model, sampler, num_samples=50, num_sweeps=5, previous=ones.chains)["x"]
    assert (ones["x"] == 1).all()
    assert 0.4 < x.mean() < 0.6
