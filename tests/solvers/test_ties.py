"""Models whose best states can be exchanged: `solve` does not mix different best configurations."""

import jax
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk


def unequal(states: int) -> pk.FactorGraph:
    """Two variables that prefer different states, with a score of 0.693."""
    table = 0.693 * (1 - np.eye(states))
    return pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=states)), [pk.EdgeTables([[0, 1]], table)])


@pytest.mark.parametrize("states", some([2, 3], {"3"}))
@pytest.mark.parametrize("solver", [None, pk.MaxProduct(0.0, start="zero"), pk.Polished(pk.MaxProduct())])
def test_two_variables_that_prefer_different_states(states, solver):
    model = unequal(states)
    solved = pk.solve(model, solver)
    assert len(set(solved.states["x"].tolist())) == 2
    np.testing.assert_allclose(solved.score, 0.693, rtol=1e-6)  # without the change that broke the tie
    inside = jax.jit(lambda model: pk.solve(model, solver))(model)
    np.testing.assert_array_equal(inside.states["x"], solved.states["x"])


def test_evidence_decides_ties_as_before():
    solved = pk.solve(unequal(2), evidence={"x": [[0, pk.FREE], [pk.FREE, 0]]})
    assert solved.states["x"].tolist() == [[0, 1], [1, 0]]
    assert solved.converged.all()


def test_a_maximum_cut_is_better_than_none():
    """A random graph of 300 vertices: all beliefs tie, and before the change the cut was 0 and `converged` True."""
    rng = np.random.default_rng(0)
    pairs = np.argwhere(np.triu(rng.random((300, 300)) < 0.1, 1))
    degree = np.bincount(pairs.reshape(-1), minlength=300)
    model = pk.FactorGraph(
        pk.Variables(x=pk.Binary(300)), [pk.Edges(pairs, np.full(len(pairs), -2.0))], {"x": degree.astype(float)}
    )
    solved = pk.solve(model)
    assert solved.score > 0.45 * len(pairs)


def test_nothing_changes_without_ties():
    """The states, the score and the sweeps are those of the solver alone."""
    lattice = pk.ising_lattice(12, coupling=0.4, bias=0.1)
    rng = np.random.default_rng(0)
    model = pk.FactorGraph(lattice.graph().variables, lattice.graph().factors, {"x": rng.normal(size=(12, 12))})
    solved = pk.solve(model)
    plain = pk.sample(jax.random.key(0), model, pk.PMP(noise=pk.Gumbel(0.0)), num_samples=1, num_sweeps=200)
    np.testing.assert_array_equal(solved.states["x"], plain["x"][0])
    assert solved.sweeps == plain.sweeps[0]
    assert solved.converged


def test_a_tie_that_stays_is_not_converged(monkeypatch):
    monkeypatch.setattr("pmp_kit.solvers.ties.PUSH", 0.0)
    pairs = np.arange(10).reshape(5, 2)  # a shape of its own, because the compiled program keeps the changed constant
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(11)), [pk.EdgeTables(pairs, 0.5 * (1 - np.eye(2)))])
    assert not jax.jit(lambda model: pk.solve(model).converged)(model)
