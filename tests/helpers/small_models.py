"""Models of a few variables, their exact samples, and an optimiser with which tests learn them in few steps."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
import optax
from symmetric import symmetric

import pmp_kit as pk


def ising(n=5, scale=1.0, seed=0):
    """A model in which all pairs are coupled, with weights of both signs."""
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.normal(size=(n, n), scale=scale), 1)
    return pk.Ising(symmetric(weight), rng.normal(size=n))


def weak(n=10):
    """A model in which all pairs are weakly coupled, with small biases."""
    rng = np.random.default_rng(0)
    weight = np.triu(rng.normal(size=(n, n), scale=0.3), 1)
    return pk.Ising(symmetric(weight), rng.normal(size=n, scale=0.5))


def chain(n=6, states=2, seed=0):
    """A chain of variables with any number of states."""
    rng = np.random.default_rng(seed)
    variables = pk.Variables(x=pk.Categorical(n, states=states))
    pairs = np.stack([np.arange(n - 1), np.arange(1, n)], 1)
    factor = pk.EdgeTables(pairs, rng.normal(size=(n - 1, states, states)))
    return pk.FactorGraph(variables, [factor], rng.normal(size=(n, states), scale=0.5))


def small_rbm():
    """A restricted Boltzmann machine with strong weights and random biases."""
    keys = jax.random.split(jax.random.key(0), 3)
    weight = 2.0 * jax.random.normal(keys[0], (4, 3))
    return pk.RBM(weight, jax.random.normal(keys[1], (4,)), jax.random.normal(keys[2], (3,)))


class Pair(eqx.Module):
    """Two spins with one coupling, an array or a number of Python or of NumPy."""

    coupling: Any

    def graph(self):
        return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], self.coupling)])


def exact_samples(model, number, seed=0):
    """Independent samples of a model whose states can be enumerated."""
    p = np.asarray(pk.exact.probabilities(model), float)
    index = np.random.default_rng(seed).choice(p.size, number, p=p / p.sum())
    return {name: np.asarray(x)[index] for name, x in pk.exact.states(model.graph().variables).items()}


def falling(rate, steps):
    """Adam with a learning rate that falls to zero. It needs fewer steps than a constant rate for the same accuracy."""
    return {"optimizer": optax.adam(optax.cosine_decay_schedule(rate, steps)), "steps": steps}


def leaves_equal(one, other):
    """Assert that two pytrees hold the same arrays."""
    one, other = jax.tree.leaves(one), jax.tree.leaves(other)
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
