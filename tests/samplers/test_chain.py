"""What the chains accept and reject by: log p(x) up to a constant."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracle import joint_states

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.loops import clamped_unaries
from pmp_kit.samplers.chain import log_weight


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.parametrize("known", [False, True], ids=["free", "evidence"])
def test_a_large_unary_does_not_absorb_small_scores(states, known):
    """In float32 numbers near a million are sixteenths, so the sum of the scores would lose differences of 0.03."""
    rng, n = np.random.default_rng(states), 4
    unaries = 0.03 * rng.normal(size=(n, states))
    unaries[0, 1] = 1e6
    weight = 0.03 * rng.normal(size=n - 1)
    factor = pk.Potts(np.stack([np.arange(n - 1), np.arange(1, n)], 1), weight, states)
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(n, states=states)), [factor], unaries)
    numbers = joint_states([states] * n)
    exact = unaries[np.arange(n), numbers].sum(1) + (weight * (numbers[:, 1:] == numbers[:, :-1])).sum(1)
    evidence = np.full((n, 1), pk.FREE, np.int32)
    evidence[1] = 1 if known else pk.FREE

    @jax.jit
    def weights(graph):
        clamped = clamped_unaries(graph, jnp.asarray(evidence), len(numbers))
        return log_weight(graph, clamped, planes.from_states(jnp.asarray(numbers.T), clamped.shape[0], clamped.dtype))

    found = np.asarray(weights(graph), float)
    for first in range(states):  # the states of the variable with the large unary
        rows = (numbers[:, 0] == first) & ((numbers[:, 1] == 1) | (not known))
        tolerance = 1e-6 if first == 1 else 0.2
        np.testing.assert_allclose(found[rows] - found[rows][0], exact[rows] - exact[rows][0], atol=tolerance)
