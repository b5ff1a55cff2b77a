"""Scores and log-conditionals ask for full float32 precision, which GPUs and TPUs otherwise do not use for products."""

import contextlib
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import examples

import pmp_kit as pk
from pmp_kit.samplers.chain import everywhere, fields

EXAMPLES = examples()


@contextlib.contextmanager
def float64():
    """Switch the default precision. `with jax.enable_x64(True)` is newer than JAX 0.7.2."""
    jax.config.update("jax_enable_x64", True)
    try:
        yield
    finally:
        jax.config.update("jax_enable_x64", False)


def products(function, argument):
    """Return the lines of the compiled function's text that multiply arrays."""
    return [line for line in jax.jit(function).lower(argument).as_text().splitlines() if "dot_general" in line]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_products_have_the_highest_precision(example):
    graph = pk.FactorGraph(example.variables, [example.factor])
    states = jnp.zeros((graph.variables.num_planes, graph.variables.count, 2))
    unaries = jnp.broadcast_to(graph.planes()[..., None], states.shape)
    found = products(lambda states: graph.score(states), states)
    assert found, "the unaries at least are such a product"
    found += products(lambda states: fields(graph, unaries, states, everywhere(graph)), states)
    assert [line for line in found if "HIGHEST" not in line] == []


@pytest.mark.parametrize("states", [2, 3])
def test_products_of_enumeration_have_the_highest_precision(states):
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=states)), [pk.Potts([[0, 1]], 1.0, states)])
    for result in (pk.exact.marginals, pk.exact.moments):
        found = products(result, graph)
        assert found
        assert [line for line in found if "HIGHEST" not in line] == []


@pytest.mark.parametrize("solver", [pk.MaxProduct(), pk.SumProduct()], ids=lambda solver: type(solver).__name__)
@pytest.mark.parametrize(
    "factor",
    [
        pk.Or([0, 1], 2),
        pk.Custom([0, 1], lambda params, x: params * x[0] * x[1], 0.7),
        pk.Custom([0, 1], lambda params, x: 0.7 * x[0] * x[1], ()),
    ],
    ids=["Or", "Custom", "Custom without parameters"],
)
def test_an_earlier_model_is_computed_in_float32(factor, solver):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor], {"x": np.array([0.3, -0.2, 0.1])})
    before = pk.solve(graph, solver).score
    with float64():
        after = pk.solve(graph, solver).score
    assert before.dtype == after.dtype == np.float32
    assert before == after


def test_annealing_an_earlier_model_is_computed_in_float32():
    model = pk.ising_lattice(3)
    how = {"num_chains": 4, "num_temperatures": 3}
    before = pk.measures.annealed_log_partition(jax.random.key(0), model, **how)
    with float64():
        after = pk.measures.annealed_log_partition(jax.random.key(0), model, **how)
    assert before.value == pytest.approx(after.value, abs=1e-5)


@pytest.mark.parametrize(
    "sampler",
    [
        pk.Gibbs(),
        pk.GibbsWithGradients(),
        pk.DiscreteLangevin(),
        pk.ParallelTempering(),
        pk.ParallelTempering(sampler=pk.DiscreteLangevin()),
        pk.PersistentPMP(),
    ],
    ids=["Gibbs", "gradients", "Langevin", "tempering", "tempering of Langevin", "persistent"],
)
def test_samples_of_an_earlier_model_are_computed_in_float32(sampler):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges([[0, 1], [1, 2]], 1.0)], {"x": [0.3, -0.2, 0.1]})
    draw = lambda: pk.sample(jax.random.key(0), graph, sampler, num_samples=20, num_sweeps=5)  # noqa: E731
    before = draw()
    with float64():
        after = draw()
    np.testing.assert_array_equal(before["x"], after["x"])
    assert [x.dtype for x in jax.tree.leaves(before.chains)] == [x.dtype for x in jax.tree.leaves(after.chains)]


@pytest.mark.parametrize(
    "sampler", [pk.Gibbs(), pk.ParallelTempering(), pk.PersistentPMP()], ids=lambda one: type(one).__name__
)
def test_chains_of_float32_go_on_in_float64(sampler):
    """Persistent PMP kept the old noise in float32, and the error blamed the update of a factor."""
    build = lambda: pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=3)), [pk.Potts([[0, 1]], 1.0, 3)])  # noqa: E731
    options = {"num_samples": 4, "num_sweeps": 3}
    old = pk.sample(jax.random.key(0), build(), sampler, **options)
    with float64():
        new = pk.sample(jax.random.key(1), build(), sampler, previous=old.chains, **options)
    assert {x.dtype for x in jax.tree.leaves(new.chains) if x.dtype.kind == "f"} == {np.dtype(np.float64)}


def test_large_unaries_hide_no_coupling_from_annealing():
    """Three variables in their best states, and a pair without unaries; its log-weights were rounded away."""
    pair = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], 1.0)])
    large = {"x": np.zeros(2), "z": np.full(3, 1e8)}
    both = pk.FactorGraph(pk.Variables(x=pk.Binary(2), z=pk.Binary(3)), [pk.Edges([[0, 1]], 1.0)], large)
    found = pk.measures.annealed_log_partition(jax.random.key(0), both, num_chains=1000, num_temperatures=5)
    assert found.value - 3e8 == pytest.approx(float(pk.exact.log_partition(pair)), abs=0.05)


def test_many_temperatures_lose_nothing_of_log_z():
    """The rounding errors of 10,000 additions took 0.046 nats, and the error was 0.0."""
    model = pk.ising_lattice(12, coupling=0.4, bias=0.1)
    given = {"x": np.ones((12, 12), int)}  # the only state, so log Z is its score, 288 pairs x 1.6 - 144 spins x 3.0
    found = pk.measures.annealed_log_partition(
        jax.random.key(0), model, num_chains=4, num_temperatures=10_000, evidence=given
    )
    assert found.value == pytest.approx(28.8, abs=1e-3)  # one score in float32 has an error of up to 0.001


@functools.cache
def large_terms():
    """Graphs whose score is a sum of many terms, each with the float64 score of states (N, n) by NumPy."""
    rng, number = np.random.default_rng(0), 200_000
    binary, three = pk.Variables(x=pk.Binary(number)), pk.Variables(x=pk.Categorical(number, states=3))
    pairs, table = np.stack([np.arange(number - 1), np.arange(1, number)], axis=1), rng.normal(2.0, 1.0, (3, 3))
    scores = rng.normal(2.0, 1.0, (number, 3)).astype(np.float32)
    groups, of_count = np.arange(number).reshape(-1, 4), np.array([0.3, 1.7, 0.9, 1.3, 0.7])
    return {
        "Edges": (pk.FactorGraph(binary, [pk.Edges(pairs, 1.2)]), lambda x: 1.2 * (x[:, 1:] * x[:, :-1]).sum(1)),
        "Potts": (
            pk.FactorGraph(three, [pk.Potts(pairs, 1.2, states=3)]),
            lambda x: 1.2 * (x[:, 1:] == x[:, :-1]).sum(1),
        ),
        "EdgeTables": (
            pk.FactorGraph(three, [pk.EdgeTables(pairs, table)]),
            lambda x: table.astype(np.float32).astype(float)[x[:, :-1], x[:, 1:]].sum(1),
        ),
        "CountPotential": (
            pk.FactorGraph(binary, [pk.CountPotential(groups, of_count)]),
            lambda x: of_count[x.reshape(len(x), -1, 4).sum(2)].sum(1),
        ),
        "unaries": (
            pk.FactorGraph(three, unaries={"x": scores}),
            lambda x: scores.astype(float)[np.arange(number), x].sum(1),
        ),
    }


@pytest.mark.parametrize("name", ["Edges", "Potts", "EdgeTables", "CountPotential", "unaries"])
def test_the_scores_of_many_large_configurations_are_right(name):
    """Products that are added one after the other in float32 would be wrong by 27 (`Edges`), 8 or 2 nats."""
    graph, by_numpy = large_terms()[name]
    states = np.random.default_rng(1).integers(0, graph.variables.num_states, (4, 200_000))
    np.testing.assert_allclose(pk.score(graph, {"x": states}), by_numpy(states), rtol=2e-6)
