"""`solve` within a budget of seconds: proofs, evidence, Ctrl-C, and what it refuses."""

import os
import signal
import subprocess
import sys
import time

import jax
import numpy as np
import pytest
from pair_models import exact_best, mixed, some_evidence
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.search import members
from pmp_kit.search.tables import in_one_group

PROGRAM = """
import signal, sys, numpy as np, pmp_kit as pk
signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
weight = np.triu(rng.normal(size=(200, 200)), 1)
model = pk.Ising(weight + weight.T, np.zeros(200))
print("ready", flush=True)
solution = pk.solve(model, budget=600.0)
print(bool(solution.possible), bool(solution.proved), float(solution.score) > 0.0, solution.found_by, flush=True)
"""


def lattice(rng, height=20, width=8):
    """A frustrated lattice of spins with fields."""
    variables = pk.Variables(x=pk.Binary(height, width))
    pairs = pk.lattice_pairs(variables["x"])
    return pk.FactorGraph(
        variables, [pk.Edges(pairs, 4 * rng.normal(size=len(pairs)))], {"x": rng.normal(size=(height, width))}
    )


def test_a_proof_ends_the_search_and_several_problems_share_the_budget():
    graph = mixed(0, scale=4.0).graph
    evidence = some_evidence(graph.variables, 5)
    begin = time.monotonic()
    solved = pk.solve(graph, budget=60.0, evidence=evidence)
    assert time.monotonic() - begin < 30.0
    assert solved.proved.all()
    assert solved.converged.all()
    assert set(solved.found_by) <= {"elimination", "the unaries"}
    np.testing.assert_allclose(solved.score, exact_best(graph, evidence), rtol=1e-5)
    np.testing.assert_array_equal(solved.bound, solved.score)
    for block, x in evidence.items():
        np.testing.assert_array_equal(solved.states[block][x != pk.FREE], x[x != pk.FREE])


def test_the_searches_without_a_proof_reach_the_best_score(monkeypatch):
    graph = lattice(np.random.default_rng(1))
    proved = pk.solve(graph, budget=10.0)
    assert proved.proved
    assert proved.found_by == "elimination"
    monkeypatch.setattr(members, "eliminate", lambda best: None)
    found = pk.solve(graph, budget=8.0)
    assert found.score >= proved.score - 0.01 * abs(proved.score)
    assert found.score <= proved.score + 1e-3
    assert not found.proved or found.score >= proved.score - 1e-3


def test_groups_of_tables_are_searched_as_one_group():
    rng = np.random.default_rng(0)
    variables = pk.Variables(a=pk.Categorical(4, states=2), b=pk.Categorical(4, states=3), c=pk.Binary(4))
    a, b, c = variables["a"], variables["b"], variables["c"]
    shared = pk.NWise(np.stack([a, b, c], 1), rng.normal(size=(2, 3, 2)))
    each = pk.NWise(np.stack([b, a], 1), np.where(rng.random((4, 3, 2)) < 0.2, -np.inf, rng.normal(size=(4, 3, 2))))
    graph = pk.FactorGraph(variables, [shared, pk.Edges([[c[0], c[1]]], [2.0]), each], {"c": rng.normal(size=4)})
    one = in_one_group(graph)
    assert [type(factor) for factor in one.factors] == [pk.Edges, pk.Tables]
    states = {name: rng.integers(0, count, (50, 4)) for name, count in {"a": 2, "b": 3, "c": 2}.items()}
    np.testing.assert_allclose(pk.score(one, states), pk.score(graph, states), rtol=1e-5)


def test_a_model_without_tables_is_searched(monkeypatch):
    """One constraint of 40 variables has no table: message passing and annealing are left."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=40)
    variables = pk.Variables(x=pk.Binary(40))
    graph = pk.FactorGraph(variables, [pk.ExactlyK(variables["x"], k=7)], {"x": scores})
    found = pk.solve(graph, budget=2.0)
    assert found.possible
    assert not found.proved
    np.testing.assert_allclose(found.score, np.sort(scores)[-7:].sum(), rtol=1e-5)


def test_an_attractive_model_is_cut():
    rng = np.random.default_rng(0)
    weight = symmetric(rng.uniform(0, 0.2, size=(60, 60)))
    model = pk.Ising(weight, 3.0 * rng.normal(size=60) - 0.5 * weight.sum(1))
    found = pk.solve(model, budget=20.0)
    assert found.proved
    assert found.found_by == "minimum cut"
    np.testing.assert_allclose(found.score, pk.solve(model, pk.MaxFlow()).score, rtol=1e-6)


def test_evidence_that_makes_all_impossible_is_proved_so():
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.EdgeTables([(0, 1)], [[0.0, 0.0], [0.0, -np.inf]])])
    found = pk.solve(graph, budget=5.0, evidence={"x": [1, 1]})
    assert not found.possible
    assert found.proved
    assert not found.converged
    assert found.score == -np.inf


@pytest.mark.slow
def test_penalties_that_take_no_part_do_not_make_a_proof():
    """Tables of -1000: bounds and scores differ by nats, which a tolerance relative to all scores would hide."""
    rng = np.random.default_rng(0)
    pairs = np.array([(i, j) for i in range(12) for j in range(i)])
    steps = np.abs(np.subtract.outer(np.arange(44), np.arange(44)))
    tables = np.where(steps <= rng.integers(1, 6, size=(len(pairs), 1, 1)), -1000.0, 0.0)
    scores = 3.0 * rng.normal(size=(12, 44))
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(12, states=44)), [pk.EdgeTables(pairs, tables)], scores)
    found = pk.solve(graph, budget=6.0)
    assert not found.proved or found.bound - found.score < 1e-3


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"solver": pk.MaxProduct()}, ValueError, "budget: expected no solver .* leave them out"),
        ({"num_sweeps": 10}, ValueError, "budget: expected no solver and no num_sweeps"),
        ({"budget": -1.0}, ValueError, "budget: expected a number in"),
    ],
)
def test_what_a_budget_refuses(arguments, error, text):
    with pytest.raises(error, match=text):
        pk.solve(pk.CompleteIsing(0.5), **{"budget": 1.0} | arguments)


def test_a_budget_is_refused_inside_jit():
    with pytest.raises(TypeError, match=r"budget: expected a call outside jit, .* name a solver there"):
        jax.jit(lambda coupling: pk.solve(pk.CompleteIsing(coupling), budget=1.0).score)(0.5)


def test_ctrl_c_returns_the_best_so_far():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": dict(os.environ)}
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], **pipes)
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(10.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert out.split()[:3] == ["True", "False", "True"], err
    assert "solve: interrupted after" in err
