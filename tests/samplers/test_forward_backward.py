"""Forward filtering, backward sampling against exact distributions. Chi-square tests use fixed keys."""

import subprocess
import sys

import jax
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square

import pmp_kit as pk
from pmp_kit import noise
from pmp_kit.samplers import forward_backward

KEY = jax.random.key(0)
MANY = 20_000


def chain(states=2, length=6):
    rng = np.random.default_rng(states)
    pairs = np.stack([np.arange(length - 1), np.arange(1, length)], 1)
    variables = pk.Variables(x=pk.Categorical(length, states=states))
    tables = pk.EdgeTables(pairs, rng.normal(size=(length - 1, states, states), scale=1.5))
    return pk.FactorGraph(variables, [tables], rng.normal(size=(length, states)))


def forest():
    """Blocks of two and of three states, pairs given from both sides and twice, one variable on its own."""
    rng = np.random.default_rng(0)
    variables = pk.Variables(x=pk.Binary(4), y=pk.Categorical(3, states=3))
    factors = [
        pk.Edges([[1, 0], [0, 1]], [2.0, -0.5]),
        pk.EdgeTables([[5, 0], [5, 2]], rng.normal(size=(2, 3, 2), scale=2)),
        pk.EdgeTables([[6, 4]], rng.normal(size=(3, 3), scale=2)),
    ]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=4), "y": rng.normal(size=(3, 3))})


MODELS = {"chain": chain(), "chain of three states": chain(3, 5), "forest": forest()}


@pytest.mark.parametrize("observed", [False, True], ids=["free", "evidence"])
@pytest.mark.parametrize("name", MODELS)
def test_samples_follow_the_exact_distribution(name, observed):
    model, evidence = MODELS[name], None
    if observed:
        flat = np.full(model.variables.count, pk.FREE)
        flat[[0, 2]] = 1, 0
        evidence = model.variables.unflatten(flat)
    samples = pk.sample(KEY, model, pk.ForwardBackward(), num_samples=MANY, num_sweeps=0, evidence=evidence)
    assert chi_square(model, samples, evidence) > FALSE_ALARM
    assert samples.chains is None
    assert (samples.sweeps == 0).all()


def test_forbidden_pairs_are_never_drawn():
    """A chain whose state may stay or rise by one, never fall."""
    table = np.array([[0.3, 0.0, -np.inf], [-np.inf, 0.5, 0.2], [-np.inf, -np.inf, 0.0]])
    pairs = [[0, 1], [2, 1], [2, 3]]
    each = np.stack([table, table.T, table])
    factor = pk.EdgeTables(pairs, each)
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(4, states=3)), [factor])
    x = pk.sample(KEY, graph, pk.ForwardBackward(), num_samples=MANY, num_sweeps=0)
    assert set(np.diff(x["x"], axis=1).reshape(-1).tolist()) == {0, 1}
    assert chi_square(graph, x) > FALSE_ALARM


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_no_uniform_number_draws_a_state_of_a_very_small_probability(kind, monkeypatch):
    """JAX draws each multiple of 2^-23 in [0, 1), also 0, which would be below any probability of the first state."""
    scores = np.repeat([[[-60.0]], [[0.0]], [[-60.0]]], 2, axis=2)
    ends = np.array([[0.0, 1.0 - np.finfo(kind).eps]], kind)
    monkeypatch.setattr(jax.random, "uniform", lambda key, shape, dtype: ends)
    uniform = noise.open_uniform(KEY, ends.shape, kind)
    states = forward_backward.draw(np.zeros((0, 2), int), np.zeros((0, 3, 3)), scores, uniform)
    np.testing.assert_array_equal(states, 1)


def test_it_draws_the_same_inside_compiled_code():
    model = chain()
    draw = lambda key: pk.sample(key, model, pk.ForwardBackward(), num_samples=200, num_sweeps=0)["x"]  # noqa: E731
    np.testing.assert_array_equal(jax.jit(draw)(KEY), draw(KEY))


MANY_CALLS = """
import jax, numpy as np, pmp_kit as pk
pairs = np.stack([np.arange(29), np.arange(1, 30)], 1)
variables = pk.Variables(x=pk.Categorical(30, states=3), y=pk.Categorical(30, states=3))
seen = np.stack([variables["x"], variables["y"]], 1)
tables = np.random.default_rng(0).normal(size=(2, 3, 3))
graph = pk.FactorGraph(variables, [pk.EdgeTables(pairs, tables[0]), pk.EdgeTables(seen, tables[1])])
for number in range(6):
    pk.sample(jax.random.key(number), graph, pk.ForwardBackward(), num_samples=5000, num_sweeps=0)
    pk.sample(jax.random.key(number), graph, pk.PerturbAndMAP(pk.TreePass()), num_samples=5000, num_sweeps=0)
"""


@pytest.mark.slow
def test_calls_to_the_host_never_wait_for_each_other():
    """In a process of its own, because a wait without end is the fault: it took one call in three on two cores."""
    subprocess.run([sys.executable, "-c", MANY_CALLS], check=True, timeout=120)
