"""What every solver promises: samples, scores, evidence, marginals, and no compilation for a number."""

import jax
import numpy as np
import pytest
from pair_models import attractive, dense, exact_best, mixed, some_evidence, tree
from slow_parameters import some

import pmp_kit as pk
from pmp_kit import run

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


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVERS)
def test_samples_do_not_depend_on_the_chunk(name):
    """Random schedules, starts and orders are the same for all copies."""
    sampler = pk.PerturbAndMAP(SOLVERS[name])
    model = pk.ising_lattice(4, 0.4) if name == "alternating" else dense(0, size=6)
    alone, padded = (pk.sample(KEY, model, sampler, num_samples=12, num_sweeps=30, chunk=c)["x"] for c in (1, 5))
    np.testing.assert_array_equal(alone, padded)
    assert len(np.unique(alone, axis=0)) > 1


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


@pytest.mark.parametrize("name", ["MPLP", "portfolio"])
def test_no_problems_have_no_solutions(name):
    """All rows of data may be filtered out before they become evidence."""
    solved = pk.solve(tree(0, 2).graph, SOLVERS[name], num_sweeps=5, evidence={"x": np.zeros((0, 8), int)})
    assert solved.score.shape == solved.converged.shape == (0,)


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


@pytest.mark.parametrize("solver", [pk.MPLP(), pk.LinearProgram(), pk.MaxFlow()], ids=["MPLP", "LP", "max-flow"])
@pytest.mark.slow
def test_models_learn_with_any_solver_inside(solver):
    """Perturb-and-LP and its like inside `fit`: the mean of one variable is learned."""
    import optax

    data = {"x": np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]])}
    result = pk.fit(
        KEY, pk.Ising(1 - np.eye(3), np.zeros(3)), data, pk.PerturbAndMAP(solver),
        optimizer=optax.adam(0.05), steps=4, batch_size=4, num_sweeps=20,
    )  # fmt: skip
    bias = np.asarray(result.model.bias)
    assert np.isfinite(bias).all()
    assert bias[0] > 0 > bias[1]


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


def test_blocks_of_two_dimensions_keep_their_marginals_in_place():
    unaries = np.arange(6.0).reshape(2, 3)
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2, 3)), unaries={"x": unaries})
    marginals = pk.solve(graph, pk.SumProduct()).marginals["x"]
    np.testing.assert_allclose(marginals[..., 1], 1 / (1 + np.exp(-unaries)), rtol=1e-5)


def test_no_number_of_a_solver_compiles_again():
    before = None
    for number in range(1, 4):
        key = jax.random.key(number)
        for solver in (
            pk.MaxProduct(schedule=pk.RandomMask(key, number / 10), start=pk.RandomStart(key, number)),
            pk.SumProduct(temperature=number, damping=number / 10, tolerance=number * 1e-3),
            pk.MPLP(tolerance=number * 1e-3, keep_best=number % 2 == 0, key=key),
            pk.LinearProgram(),
        ):
            pk.solve(dense(number), solver, num_sweeps=5 * number)
        size = run.compiled_draw_chunks(wide=False)._cache_size()
        before = before or size
        assert size == before


@pytest.mark.parametrize(
    "solver",
    [pk.MPLP(), pk.MPLP(key=KEY), pk.Portfolio(pk.MaxProduct(), pk.MPLP())],
    ids=["MPLP", "shuffled", "portfolio"],
)
def test_a_model_without_pairs_is_solved_by_its_unaries(solver):
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [], {"x": np.array([1.0, -1.0, 0.5])})
    solved = pk.solve(model, solver)
    assert solved.states["x"].tolist() == [1, 0, 1]
    assert solved.score == solved.bound == 1.5
    assert solved.converged


@pytest.mark.parametrize("solver", [pk.LinearProgram(), pk.MPLP(), pk.TreePass()], ids=["LP", "MPLP", "tree"])
def test_the_bound_of_an_impossible_model_is_minus_infinity(solver):
    equal = np.array([[0.0, -np.inf], [-np.inf, 0.0]])
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.EdgeTables([[0, 1], [1, 2]], equal)])
    solved = pk.solve(model, solver, evidence={"x": np.array([0, pk.FREE, 1])})
    assert solved.score == solved.bound == -np.inf
    assert not solved.possible
    assert not solved.converged
