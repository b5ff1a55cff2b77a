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


@pytest.mark.parametrize(
    "sampler",
    [pk.Gibbs(), pk.ParallelTempering(sampler=pk.DiscreteLangevin()), pk.PersistentPMP()],
    ids=["Gibbs", "tempering of Langevin", "persistent"],
)
def test_samples_of_an_earlier_model_are_computed_in_float32(sampler):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges([[0, 1], [1, 2]], 1.0)], {"x": [0.3, -0.2, 0.1]})
    draw = lambda: pk.sample(jax.random.key(0), graph, sampler, num_samples=20, num_sweeps=5)  # noqa: E731
    before = draw()
    with float64():
        after = draw()
    np.testing.assert_array_equal(before["x"], after["x"])
    assert [x.dtype for x in jax.tree.leaves(before.chains)] == [x.dtype for x in jax.tree.leaves(after.chains)]


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
    pairs = np.stack([np.arange(number - 1), np.arange(1, number)], axis=1)
    scores = rng.normal(2.0, 1.0, (number, 3)).astype(np.float32)
    return {
        "Edges": (pk.FactorGraph(binary, [pk.Edges(pairs, 1.2)]), lambda x: 1.2 * (x[:, 1:] * x[:, :-1]).sum(1)),
        "Potts": (
            pk.FactorGraph(three, [pk.Potts(pairs, 1.2, states=3)]),
            lambda x: 1.2 * (x[:, 1:] == x[:, :-1]).sum(1),
        ),
        "unaries": (
            pk.FactorGraph(three, unaries={"x": scores}),
            lambda x: scores.astype(float)[np.arange(number), x].sum(1),
        ),
    }


@pytest.mark.parametrize("name", ["Edges", "Potts", "unaries"])
def test_the_scores_of_many_large_configurations_are_right(name):
    """Products that are added one after the other in float32 would be wrong by 27 (`Edges`), 8 or 2 nats."""
    graph, by_numpy = large_terms()[name]
    states = np.random.default_rng(1).integers(0, graph.variables.num_states, (4, 200_000))
    np.testing.assert_allclose(pk.score(graph, {"x": states}), by_numpy(states), rtol=2e-6)
