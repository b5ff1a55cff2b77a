"""The verbs give the same numbers inside jit, vmap and grad as outside, for traced models, keys and evidence."""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import EXAMPLES, MODELS, each_slowly, small_ising

import pmp_kit as pk

KEY = jax.random.key(0)
SAMPLES = {"num_samples": 37, "num_sweeps": 9}
MODEL = small_ising(spins=7)
WEIGHT, BIAS = np.asarray(MODEL.weight), np.asarray(MODEL.bias)
WEIGHTS = jnp.asarray(np.stack([WEIGHT, 2 * WEIGHT, -WEIGHT]))


def assert_same(one, other):
    """Check that both trees hold the same numbers."""
    assert jax.tree.structure(one) == jax.tree.structure(other)
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5, atol=1e-5)


def assert_same_samples(one, other):
    assert isinstance(one, pk.Samples)
    assert isinstance(other, pk.Samples)
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])
    np.testing.assert_array_equal(one.sweeps, other.sweeps)


def of_index(tree, number):
    return jax.tree.map(lambda leaf: leaf[number], tree)


@each_slowly(EXAMPLES)
def test_samples_of_a_traced_model_are_those_outside(example):
    """The model with its wiring, the key, the evidence and the sweeps are arguments of the compiled function."""
    model = MODELS["potts"]
    sampler, variables = example.make(model), model.graph().variables
    evidence = {block: np.full(ids.shape, pk.FREE) for block, ids in variables.items()}
    next(iter(evidence.values())).reshape(-1)[1] = 1

    @jax.jit
    def inside(key, graph, known, num_sweeps):
        return pk.sample(key, graph, sampler, num_samples=37, num_sweeps=num_sweeps, evidence=known)

    outside = pk.sample(KEY, model, sampler, evidence=evidence, **SAMPLES)
    assert_same_samples(inside(KEY, model.graph(), evidence, 9), outside)


def test_a_model_can_be_made_inside():
    made = jax.jit(lambda weight: pk.sample(KEY, pk.Ising(weight, BIAS), **SAMPLES))(WEIGHT)
    assert_same_samples(made, pk.sample(KEY, MODEL, **SAMPLES))


def test_many_keys_models_and_problems_at_once():
    keys = jax.random.split(KEY, 3)
    evidence = np.where(np.eye(3, 7) > 0, 1, pk.FREE)
    by_key = jax.vmap(lambda key: pk.sample(key, MODEL, **SAMPLES))(keys)
    by_weight = jax.jit(jax.vmap(lambda weight: pk.sample(KEY, pk.Ising(weight, BIAS), pk.Gibbs(), **SAMPLES)))(WEIGHTS)
    by_evidence = jax.vmap(lambda known: pk.sample(KEY, MODEL, evidence={"x": known}, **SAMPLES))(jnp.asarray(evidence))
    for row in range(3):
        assert_same_samples(of_index(by_key, row), pk.sample(keys[row], MODEL, **SAMPLES))
        alone = pk.sample(KEY, pk.Ising(WEIGHTS[row], BIAS), pk.Gibbs(), **SAMPLES)
        assert_same_samples(of_index(by_weight, row), alone)
        known = pk.sample(KEY, MODEL, evidence={"x": evidence[row]}, **SAMPLES)
        assert_same_samples(of_index(by_evidence, row), known)


def test_solutions_of_many_models_at_once():
    many = jax.jit(jax.vmap(lambda weight: pk.solve(pk.Ising(weight, BIAS), pk.SumProduct(), num_sweeps=40)))(WEIGHTS)
    assert isinstance(many, pk.Solution)
    for row in range(3):
        assert_same(of_index(many, row), pk.solve(pk.Ising(WEIGHTS[row], BIAS), pk.SumProduct(), num_sweeps=40))


def test_a_trace_inside_is_that_outside():
    inside = jax.jit(lambda key, graph: pk.trace(key, graph, num_sweeps=9, every=2, num_samples=5))(KEY, MODEL.graph())
    assert_same(inside, pk.trace(KEY, MODEL, num_sweeps=9, every=2, num_samples=5))


def test_a_compiled_function_of_constants_leaks_nothing():
    """The samples are for several workers, which run in threads outside of compiled code."""
    model, options = pk.ising_lattice(5, coupling=0.1), {"num_samples": 300, "num_sweeps": 5}
    both = jax.jit(lambda: (pk.sample(KEY, model, **options), pk.solve(model)))
    assert_same(both(), (pk.sample(KEY, model, **options), pk.solve(model)))


def test_chains_go_on_inside():
    def two_calls(key):
        first = pk.sample(key, MODEL, pk.Gibbs(), **SAMPLES)
        return pk.sample(jax.random.fold_in(key, 1), MODEL, pk.Gibbs(), previous=first.chains, **SAMPLES)

    assert_same_samples(jax.jit(two_calls)(KEY), two_calls(KEY))


def test_a_solver_on_the_host_works_inside_and_refuses_what_it_cannot_solve():
    pairs = np.array([[0, 1], [1, 2]])

    def solved(weight, pairs):
        graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(pairs, weight)])
        return pk.solve(graph, pk.TreePass()).score

    weights = jnp.array([[1.0, -2.0], [3.0, 4.0]])
    np.testing.assert_allclose(jax.jit(jax.vmap(lambda w: solved(w, pairs)))(weights), [1.0, 7.0])
    loop = np.array([[0, 1], [1, 2], [2, 0]])
    with pytest.raises(Exception, match="expected a tree or a forest"):
        jax.block_until_ready(jax.jit(lambda w: solved(w, loop))(jnp.ones(3)))


def test_the_derivative_of_the_best_score_is_that_of_the_best_states():
    """The derivative follows from the envelope theorem. It is compared with enumeration and a finite difference."""
    solved = pk.solve(MODEL, pk.Exhaustive())
    for solver in (pk.MaxProduct(), pk.Exhaustive(), pk.MPLP(), pk.Portfolio(pk.MaxProduct(), pk.MPLP())):
        gradient = eqx.filter_grad(lambda model, solver=solver: pk.solve(model, solver).score)(MODEL)
        states = pk.solve(MODEL, solver).states["x"]
        np.testing.assert_array_equal(gradient.bias, states)
        np.testing.assert_allclose(gradient.weight, 0.5 * np.outer(states, states) * (1 - np.eye(7)), atol=1e-6)
    nudged = pk.solve(pk.Ising(WEIGHT, BIAS + 1e-2 * np.eye(7)[0]), pk.Exhaustive())
    assert (nudged.score - solved.score) / 1e-2 == pytest.approx(solved.states["x"][0], abs=1e-3)


# --- results


def test_samples_are_a_pytree():
    model = MODELS["rbm"]
    samples = pk.sample(KEY, model, pk.Gibbs(), **SAMPLES)
    doubled = jax.tree.map(lambda leaf: 2 * leaf, samples)
    assert isinstance(doubled, pk.Samples)
    assert list(doubled) == list(samples) == ["v", "h"]
    np.testing.assert_array_equal(doubled["h"], 2 * samples["h"])
    np.testing.assert_array_equal(doubled.chains, 2 * samples.chains)
    np.testing.assert_array_equal(doubled.sweeps, 2 * samples.sweeps)
    names = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(samples)[0]]
    assert names == ["['v']", "['h']", ".chains", ".sweeps"]


def test_a_trace_goes_on_from_chains_and_gives_them():
    first = pk.trace(KEY, MODEL, pk.Gibbs(), num_sweeps=4, num_samples=6)
    np.testing.assert_array_equal(first.chains, pk.sample(KEY, MODEL, pk.Gibbs(), num_samples=6, num_sweeps=4).chains)
    on = pk.trace(KEY, MODEL, pk.Gibbs(), num_sweeps=3, num_samples=6, previous=first.chains)
    np.testing.assert_array_equal(on.values["x"][0], first.values["x"][-1])
    again = pk.sample(KEY, MODEL, pk.Gibbs(), num_samples=6, num_sweeps=3, previous=first.chains)
    np.testing.assert_array_equal(on.values["x"][-1], again["x"])


def test_results_for_arviz():
    pytest.importorskip("arviz_base")
    samples = pk.sample(KEY, MODELS["rbm"], pk.Gibbs(), **SAMPLES).to_arviz()["posterior"]
    assert {name: block.shape for name, block in samples.items()} == {"v": (1, 37, 2, 2), "h": (1, 37, 3)}
    seen = pk.trace(KEY, MODELS["rbm"], pk.Gibbs(), num_sweeps=6, num_samples=5)
    chains = seen.to_arviz()["posterior"]
    assert chains["v"].shape == (5, 7, 2, 2)  # (chain, draw, *shape)
    np.testing.assert_array_equal(chains["v"][3, 2], seen.values["v"][2, 3])


def test_without_arviz_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz_base", None)
    with pytest.raises(ImportError, match=r'pip install "pmp_kit\[diagnostics\]"'):
        pk.sample(KEY, MODEL, **SAMPLES).to_arviz()


def test_variables_are_a_mapping():
    variables = pk.Variables(a=pk.Binary(2, 3), b=pk.Categorical(4, states=5))
    assert {name: ids.shape for name, ids in variables.items()} == {"a": (2, 3), "b": (4,)}
    assert [ids[-1] for ids in variables.values()][1] == 9
    assert variables == pk.Variables(a=pk.Binary(2, 3), b=pk.Categorical(4, states=5))
    assert hash(variables) == hash(pk.Variables(a=pk.Binary(2, 3), b=pk.Categorical(4, states=5)))
    with pytest.raises(KeyError, match="block name: expected one of a, b, got 'x'"):
        variables["x"]


@pytest.mark.parametrize("solver", [pk.TreePass(), pk.MaxFlow(), pk.LinearProgram()], ids=["tree", "flow", "LP"])
def test_direct_solvers_work_inside_with_a_model_from_outside(solver):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges([[0, 1], [1, 2]], [1.0, 2.0])])
    sampler = pk.PerturbAndMAP(solver)
    inside = jax.jit(lambda key: pk.sample(key, graph, sampler, num_samples=5, num_sweeps=0))(KEY)
    assert_same_samples(inside, pk.sample(KEY, graph, sampler, num_samples=5, num_sweeps=0))
    assert jax.jit(lambda number: pk.solve(graph, solver, num_sweeps=number).score)(1) == 3.0
