"""What every solver promises: scores, bounds, evidence, marginals; and exact samples of exact solvers."""

import jax
import numpy as np
import pytest
from pair_models import attractive, exact_best, mixed, some_evidence, tree
from slow_parameters import some

import pmp_kit as pk

KEY = jax.random.key(0)

SOLVERS = {
    "random mask": pk.MaxProduct(schedule=pk.RandomMask(KEY)),
    "alternating": pk.MaxProduct(schedule=pk.Alternating()),
    "random start": pk.MaxProduct(start=pk.RandomStart(KEY)),
    "coordinate ascent": pk.CoordinateAscent(),
    "portfolio": pk.Portfolio(pk.MaxProduct(start="zero"), pk.MaxProduct(start=pk.NeutralStart(2.0))),
    "polished": pk.Polished(pk.MaxProduct()),
    "MPLP": pk.MPLP(),
    "MPLP, shuffled": pk.MPLP(key=KEY),
    "linear program": pk.LinearProgram(),
    "sum-product": pk.SumProduct(),
}


@pytest.mark.parametrize("name", some(SOLVERS, ("alternating", "MPLP", "sum-product")))
def test_answers_keep_the_evidence_and_report_their_own_score(name):
    graph = mixed(0, scale=4.0).graph  # strong tables, of which relaxations miss the best states
    evidence = some_evidence(graph.variables, 10)
    solved = pk.solve(graph, SOLVERS[name], num_sweeps=40, evidence=evidence)
    scores = np.asarray(pk.exact.log_weights(graph))
    np.testing.assert_allclose(
        solved.score, scores[pk.exact.index_of(graph.variables, solved.states)], rtol=1e-4, atol=1e-4
    )
    for block, x in evidence.items():
        np.testing.assert_array_equal(solved.states[block][x != pk.FREE], x[x != pk.FREE])
    assert solved.bound is None or (solved.bound >= exact_best(graph, evidence) - 1e-4).all()


@pytest.mark.parametrize(
    ("model", "solver"),
    [
        (tree(0, 2).graph, pk.TreePass()),
        (tree(0, 3).graph, pk.TreePass()),
        (tree(0, 2).graph, pk.LinearProgram()),
        (attractive(0), pk.MaxFlow()),
        (attractive(0), pk.LinearProgram()),
    ],
    ids=["tree", "tree of three states", "linear program, tree", "max-flow", "linear program, attractive"],
)
def test_exact_solvers_draw_exact_perturb_and_map_samples(model, solver):
    """The same noise, so the very samples of perturb-and-MAP by enumeration, with evidence that differs."""
    variables = model.graph().variables
    evidence = some_evidence(variables, 40)
    draws = [
        pk.sample(KEY, model, pk.PerturbAndMAP(s), num_samples=40, num_sweeps=1, evidence=evidence)["x"]
        for s in (pk.Exhaustive(), solver)
    ]
    np.testing.assert_array_equal(*draws)


def test_marginals_come_by_block_and_state():
    graph = mixed(0).graph
    evidence = some_evidence(graph.variables, 10)
    for solver in (pk.SumProduct(), pk.LinearProgram()):
        one, many = pk.solve(graph, solver), pk.solve(graph, solver, evidence=evidence)
        assert {k: v.shape for k, v in one.marginals.items()} == {"x": (3, 3), "y": (3, 2)}
        assert {k: v.shape for k, v in many.marginals.items()} == {"x": (10, 3, 3), "y": (10, 3, 2)}
        np.testing.assert_allclose(many.marginals["x"][0], one.marginals["x"], atol=1e-5)
        for marginal in many.marginals.values():
            np.testing.assert_allclose(marginal.sum(-1), 1.0, atol=1e-5)
