"""Linear programs, max-flow and the tree pass against enumeration and against the textbook program, in float64."""

import numpy as np
import pytest
from oracle import joint_scores, joint_states
from pair_models import attractive, dense, exact_best, frustrated, mixed, some_evidence, tree
from scipy.optimize import linprog

import pmp_kit as pk

TIGHT = 1e-9


def textbook_program(unaries, tables, fixed) -> float:
    """The standard relaxation: p and q of every state, all sums as equations (Appendix D, corrected)."""
    offsets = np.cumsum([0, *(len(u) for u in unaries), *(t.size for _, t in tables)])
    gain = np.concatenate([*unaries, *(t.reshape(-1) for _, t in tables)])
    rows, right = [], []
    for i, u in enumerate(unaries):
        row = np.zeros(offsets[-1])
        row[offsets[i] : offsets[i] + len(u)] = 1
        rows, right = [*rows, row], [*right, 1.0]
    for a, (ids, table) in enumerate(tables):
        place = offsets[len(unaries) + a] + np.arange(table.size).reshape(table.shape)
        for axis in (0, 1):
            for state in range(table.shape[axis]):
                row = np.zeros(offsets[-1])
                row[place.take(state, axis)] = 1
                row[offsets[ids[axis]] + state] = -1
                rows, right = [*rows, row], [*right, 0.0]
    bounds = [(0, None)] * offsets[-1]
    for i, state in fixed:
        bounds[offsets[i] + state] = (1, 1)
    result = linprog(-gain, A_eq=np.array(rows), b_eq=right, bounds=bounds, method="highs")
    assert result.status == 0
    return -result.fun


def ising_tables(model):
    weight, bias = np.asarray(model.weight), np.asarray(model.bias)
    pairs = [(i, j) for j in range(len(bias)) for i in range(j)]
    return [np.array([0, b]) for b in bias], [(p, np.array([[0, 0], [0, weight[p]]])) for p in pairs]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["dense", "mixed"])
def test_the_reduced_program_equals_the_textbook_program(kind, seed):
    model = dense(seed, scale=3.0) if kind == "dense" else mixed(seed, scale=3.0)
    unaries, tables = ising_tables(model) if kind == "dense" else model[1:]
    graph = model.graph() if kind == "dense" else model.graph
    evidence = some_evidence(graph.variables, 6, seed)
    solved = pk.solve(graph, pk.LinearProgram(), evidence=evidence)
    for copy, known in enumerate(graph.variables.flatten(evidence)):
        fixed = [(i, state) for i, state in enumerate(known) if state != pk.FREE]
        assert solved.bound[copy] == pytest.approx(textbook_program(unaries, tables, fixed), rel=TIGHT, abs=TIGHT)
    assert solved.converged.all()
    assert (solved.bound >= exact_best(graph, evidence) - TIGHT).all()
    assert (solved.score <= exact_best(graph, evidence) + TIGHT).all()


def test_the_relaxed_solution_is_a_half_on_a_frustrated_model():
    """Section 2.4: no rounding makes use of it, while the best score is known by enumeration."""
    model = frustrated()
    solved = pk.solve(model, pk.LinearProgram())
    np.testing.assert_allclose(solved.marginals["x"], 0.5, atol=TIGHT)
    assert solved.bound > exact_best(model, {"x": np.full((1, 6), pk.FREE)})[0] + 1.0


@pytest.mark.parametrize("states", [2, 3])
def test_trees_are_solved_exactly_in_one_pass_and_the_relaxation_is_tight(states):
    for seed in range(4):
        graph, unaries, tables = tree(seed, states)
        evidence = some_evidence(graph.variables, 5, seed)
        best = exact_best(graph, evidence)
        one_pass, relaxed = (
            pk.solve(graph, solver, evidence=evidence) for solver in (pk.TreePass(), pk.LinearProgram())
        )
        np.testing.assert_allclose(one_pass.score, best, rtol=TIGHT)
        np.testing.assert_allclose(one_pass.bound, best, rtol=TIGHT)
        np.testing.assert_allclose(relaxed.bound, best, rtol=TIGHT)
        np.testing.assert_array_equal(one_pass.states["x"], relaxed.states["x"])
        scores = joint_scores(unaries, tables)
        assert one_pass.states["x"][0].tolist() == joint_states([states] * 8)[scores.argmax()].tolist()


def test_forests_with_pairs_of_any_factor_are_solved_exactly():
    """A dense factor of two variables, a pair given twice, variables on their own, mixed states."""
    rng = np.random.default_rng(0)
    variables = pk.Variables(x=pk.Binary(5), y=pk.Categorical(3, states=3))
    factors = [
        pk.DensePairwise([0, 1], np.array([[0.0, -2.0], [-2.0, 0.0]])),
        pk.Edges([[1, 2], [2, 1], [3, 2]], [1.5, -0.7, 3.0]),
        pk.EdgeTables([[6, 0]], rng.normal(size=(3, 2), scale=2)),
        pk.EdgeTables([[6, 5]], rng.normal(size=(3, 3), scale=2)),
    ]
    graph = pk.FactorGraph(variables, factors, {"x": rng.normal(size=5), "y": rng.normal(size=(3, 3))})
    evidence = some_evidence(variables, 6)
    solved = pk.solve(graph, pk.TreePass(), evidence=evidence)
    np.testing.assert_allclose(solved.score, exact_best(graph, evidence), rtol=TIGHT)


def test_max_flow_equals_enumeration_on_attractive_models():
    for seed in range(10):
        model = attractive(seed)
        graph = model.graph()
        evidence = some_evidence(graph.variables, 6, seed)
        best = exact_best(graph, evidence)
        flow, relaxed = (pk.solve(model, solver, evidence=evidence) for solver in (pk.MaxFlow(), pk.LinearProgram()))
        np.testing.assert_allclose(flow.score, best, rtol=1e-7)
        np.testing.assert_allclose(relaxed.bound, best, rtol=1e-7, atol=1e-14)  # some are 0
        known = evidence["x"] != pk.FREE
        np.testing.assert_array_equal(flow.states["x"][known], evidence["x"][known])
        assert 0 < flow.states["x"].mean() < 1
