"""MPLP: its dual value bounds the best score and never rises, in float64."""

import jax
import numpy as np
import pytest
from pair_models import dense, exact_best, mixed, some_evidence, tree

import pmp_kit as pk
from pmp_kit.solvers.mplp import dual_value
from pmp_kit.solvers.pairs import pair_model

TIGHT = 1e-9
SHUFFLED = pk.MPLP(tolerance=1e-9, key=jax.random.key(0))


def graph_of(kind, seed):
    return dense(seed).graph() if kind == "dense" else mixed(seed, scale=3.0).graph


@jax.jit
def dual_values(graph, solver):
    """The dual value before each of 60 sweeps, of a model without evidence, and its best score."""
    unaries = graph.planes()[..., None]
    model = pair_model(graph, unaries)

    def sweep(state, _):
        messages = state.pair_messages
        return solver.sweep(graph, unaries, state), dual_value(model, messages)[0]

    values = jax.lax.scan(sweep, solver.init(graph, unaries), length=60)[1]
    return values, pk.Exhaustive().init(graph, unaries)[0][0]


@pytest.mark.parametrize("kind", ["dense", "mixed"])
@pytest.mark.parametrize("solver", [pk.MPLP(tolerance=1e-9), SHUFFLED], ids=["in order", "shuffled"])
def test_the_dual_value_never_rises_and_bounds_the_best_score(kind, solver):
    for seed in range(3):
        values, best = dual_values(graph_of(kind, seed), solver)
        assert (np.diff(values) < TIGHT).all()
        assert (values > best - TIGHT).all()
        assert values[-1] < values[0]


@pytest.mark.parametrize("kind", ["dense", "mixed"])
@pytest.mark.parametrize("solver", [pk.MPLP(tolerance=1e-9), SHUFFLED], ids=["in order", "shuffled"])
def test_answers_lie_between_with_any_evidence(kind, solver):
    for seed in range(3):
        graph = graph_of(kind, seed)
        evidence = some_evidence(graph.variables, 8, seed)
        best = exact_best(graph, evidence)
        solved = pk.solve(graph, solver, num_sweeps=100, evidence=evidence)
        assert (solved.bound > best - TIGHT).all()
        assert (solved.score < best + TIGHT).all()
        for name, x in evidence.items():
            np.testing.assert_array_equal(solved.states[name][x != pk.FREE], x[x != pk.FREE])


def test_the_dual_value_of_binary_models_is_the_linear_programs():
    for seed in range(3):
        evidence = some_evidence(dense(seed).graph().variables, 8, seed)
        relaxed = pk.solve(dense(seed), pk.LinearProgram(), evidence=evidence)
        solved = pk.solve(dense(seed), pk.MPLP(tolerance=1e-9), num_sweeps=5000, evidence=evidence)
        assert solved.converged.all()
        assert (solved.bound > relaxed.bound - TIGHT).all()
        np.testing.assert_allclose(solved.bound, relaxed.bound, rtol=1e-3)


@pytest.mark.parametrize("states", [2, 3])
def test_trees_are_tight(states):
    for seed in range(3):
        graph = tree(seed, states).graph
        solved = pk.solve(graph, pk.MPLP(tolerance=1e-12), num_sweeps=5000)
        best = pk.solve(graph, pk.TreePass())
        assert solved.converged
        assert solved.score == pytest.approx(best.score, rel=TIGHT)
        assert solved.bound == pytest.approx(best.score, rel=1e-6)
