"""Hard factors: infinite messages are proofs, and finite ones stay finite."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import each_slowly

import pmp_kit as pk

KEY = jax.random.key(0)


def test_evidence_decides_what_follows_from_it_whatever_the_scores():
    """From the observed ends of a chain of gates everything between follows, against scores of a million nats."""
    variables = pk.Variables(x=pk.Binary(6))
    copies = pk.Or([[0], [1], [2], [3], [4]], [1, 2, 3, 4, 5])
    graph = pk.FactorGraph(variables, [copies], {"x": np.full(6, -1e6)})
    evidence = {"x": np.array([1] + [pk.FREE] * 5)}
    for solver in (pk.MaxProduct(), pk.MaxProduct(0.0), pk.SumProduct(damping=0.0)):
        solution = pk.solve(graph, solver, num_sweeps=50, evidence=evidence)
        assert solution.states["x"].tolist() == [1] * 6
    x = pk.sample(KEY, graph, num_samples=20, num_sweeps=50, evidence=evidence)["x"]
    assert (x == 1).all()


def test_messages_of_loops_stop_growing():
    """Every pair of nine variables in a parity check: messages would double in each sweep."""
    triples = np.array(list(itertools.combinations(range(9), 3)))
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(9)), [pk.Parity(triples)], {"x": np.full(9, 0.7)})
    seen = pk.trace(KEY, graph, pk.PMP(0.0, tolerance=0.0), num_sweeps=300, observe=pk.observe.messages, num_samples=3)
    assert np.isfinite(seen.values[0]).all()


@each_slowly()
def test_cold_sum_product_sends_the_messages_of_max_product(example):
    """Each of `soft_update` differs from `update` by at most a multiple of the temperature."""
    factor, n = example.factor, example.variables.count
    if type(factor).soft_update is pk.factors.AbstractFactor.soft_update:
        pytest.skip("offers no sum-product messages")
    shape = example.variables.num_planes, n, 5
    beliefs = pk.FactorGraph(example.variables).planes()[..., None] + 3.0 * jax.random.normal(KEY, shape)
    temperature = 1e-3
    new, cold = map(np.asarray, sent(factor, beliefs, temperature))
    assert np.array_equal(np.isinf(new), np.isinf(cold))
    differences = np.where(np.isinf(new), 0.0, new - np.where(np.isinf(cold), 0.0, cold))
    assert np.abs(differences).max() < 200 * temperature


@jax.jit
def sent(factor, beliefs, temperature):
    """What max-product and sum-product send to the variables, from no messages."""
    old = jax.tree.map(jnp.zeros_like, factor.neutral_messages(beliefs.shape[2:]))
    both = factor.update(beliefs, old), factor.soft_update(beliefs, old, temperature)
    return [factor.to_variables(messages, jnp.zeros_like(beliefs)) for messages in both]


def test_parities_do_not_change_with_the_array_they_were_made_from():
    memory = np.zeros(128, bool)  # JAX shares memory that begins at a multiple of 64 bytes
    odd = memory[-memory.ctypes.data % 64 :][:64]
    factor = pk.Parity(np.arange(128).reshape(64, 2), odd)
    odd[:] = True
    assert not factor.odd.any()
