"""What the chains accept and reject by: log p(x) up to a constant."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracle import joint_states

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.run import clamped_unaries
from pmp_kit.samplers.base import keys_of
from pmp_kit.samplers.chain import AbstractChain, log_weight


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


class Resting(AbstractChain):
    """A chain that stays where it is."""

    def sweep(self, keys, graph, unaries, state):
        return state


BOTH = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], -60.0)])
ONE = pk.FactorGraph(pk.Variables(x=pk.Binary(1)), unaries={"x": [-60.0]})


@pytest.mark.parametrize(
    ("sampler", "graph", "before"),
    [
        pytest.param(pk.GibbsWithGradients(), ONE, [[0]], id="gradients"),
        pytest.param(pk.DiscreteLangevin(1e6), BOTH, [[0, 0]], id="Langevin"),
        pytest.param(pk.ParallelTempering((1.0, 1e6), Resting()), ONE, [[0], [1]], id="tempering"),
    ],
)
def test_a_uniform_number_of_zero_accepts_no_very_improbable_change(sampler, graph, before, monkeypatch):
    """Moves to a state 60 nats lower; the acceptances get 0, which JAX draws once in 2^23 numbers."""
    draw = jax.random.uniform
    for_accepting = (1, 2) if isinstance(sampler, pk.GibbsWithGradients) else () if graph is BOTH else (2,)

    def zeros_for_accepting(key, shape, dtype):
        return jnp.zeros(shape, dtype) if shape == for_accepting else draw(key, shape, dtype)

    monkeypatch.setattr(jax.random, "uniform", zeros_for_accepting)
    number, n = 100, graph.variables.count
    states = planes.from_states(jnp.asarray(before, jnp.int32).T, 1, jnp.float32)  # (1, n, temperatures)
    ladder = jnp.repeat(jnp.moveaxis(states, -1, 0)[..., None], number, axis=-1)
    state = ladder if len(before) > 1 else ladder[0]
    keys = keys_of(jax.random.key(0), jnp.arange(number))
    unaries = clamped_unaries(graph, jnp.full((n, 1), pk.FREE), number)
    after = sampler.view(graph, unaries, sampler.sweep(keys, graph, unaries, state)).states
    assert log_weight(graph, unaries, after).min() > -1.0


@pytest.mark.parametrize("sampler", [pk.Gibbs(), pk.RandomScanGibbs()], ids=lambda sampler: type(sampler).__name__)
def test_the_noise_is_not_lost_in_large_scores_that_cancel(sampler):
    """(1, 1) and (1, 0) have the same score, and (0, 0) a far higher one, so a few sweeps lead there."""
    huge = 1e10
    pair = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], huge)], {"x": [-huge, -huge]})
    samples = pk.sample(jax.random.key(0), pair, sampler, num_samples=500, num_sweeps=30)["x"]
    assert not samples.any()
