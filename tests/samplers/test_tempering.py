"""Parallel tempering: it divides scores, not parameters, and crosses a barrier that a single chain does not."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square

import pmp_kit as pk

KEY = jax.random.key(0)


def of_the_square(parameter, x):
    """A score that is not linear in its parameter."""
    return parameter**2 * (x[0] == x[1])


@pytest.mark.parametrize("inner", [pk.Gibbs(), pk.GibbsWithGradients()], ids=lambda chain: type(chain).__name__)
def test_tempering_divides_scores_and_not_parameters(inner):
    factors = [pk.Custom([[0, 1]], of_the_square, 1.3), pk.DensePairwise([1, 2], np.array([[0.0, 0.7], [0.7, 0.0]]))]
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), factors, {"x": [0.5, 0.3, -0.2]})
    sampler = pk.ParallelTempering((1.0, 3.0), inner)
    samples = pk.sample(KEY, graph, sampler, num_samples=20_000, num_sweeps=30)
    assert chi_square(graph, samples) > FALSE_ALARM


@pytest.mark.slow
def test_tempering_crosses_a_barrier_that_gibbs_does_not():
    """A strong ferromagnet with all spins up at the start: half of the samples belong down."""
    model = pk.ising_lattice(4, coupling=0.7)
    up = jnp.ones((300, 1, 16))
    gibbs = pk.sample(KEY, model, pk.Gibbs(), num_samples=300, num_sweeps=100, previous=up)
    temperatures = np.geomspace(1, 4, 6)
    tempered = pk.sample(
        KEY, model, pk.ParallelTempering(temperatures), num_samples=300, num_sweeps=100,
        previous=jnp.ones((300, 6, 1, 16)),
    )  # fmt: skip
    down = [(samples["x"].mean((1, 2)) < 0.5).mean() for samples in (gibbs, tempered)]
    assert down[0] < 0.1
    assert down[1] == pytest.approx(0.5, abs=0.15)


@pytest.mark.slow
def test_an_infinite_temperature_keeps_evidence_and_forbidden_states():
    unaries = np.array([[0.3, -np.inf, 1.0], [0.0, 0.4, -0.6], [0.2, 0.1, 0.0]])
    variables = pk.Variables(x=pk.Categorical(3, states=3))
    graph = pk.FactorGraph(variables, [pk.Potts([[0, 1], [1, 2]], 2.0, states=3)], {"x": unaries})
    evidence = {"x": np.array([pk.FREE, pk.FREE, 1])}
    sampler = pk.ParallelTempering((1.0, 3.0, np.inf))
    samples = pk.sample(KEY, graph, sampler, num_samples=20_000, num_sweeps=20, evidence=evidence)
    assert chi_square(graph, samples, evidence) > FALSE_ALARM
