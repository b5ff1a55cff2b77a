"""Parallel tempering: any chain inside, and barriers that a single chain does not cross."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square, small_ising

import pmp_kit as pk
from pmp_kit.samplers import gradients, tempering
from pmp_kit.samplers.chain import everywhere, fields

KEY = jax.random.key(0)
CHAINS = pk.GibbsWithGradients(), pk.RandomScanGibbs(), pk.DiscreteLangevin(1.0)


@pytest.mark.parametrize("inner", CHAINS, ids=lambda chain: type(chain).__name__)
@pytest.mark.slow
def test_tempering_takes_any_chain(inner):
    model = small_ising()
    sampler = pk.ParallelTempering((1.0, 2.0), inner)
    samples = pk.sample(KEY, model, sampler, num_samples=3_000, num_sweeps=60)
    assert chi_square(model, samples) > FALSE_ALARM


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


@pytest.mark.parametrize("model", [small_ising(), pk.ising_lattice(3)], ids=["dense", "edges"])
def test_scaled_factors_have_scaled_fields(model):
    """Also where the fields are updated after a change, and at temperature 1."""
    graph, states = model.graph(), jnp.ones((1, model.graph().variables.count, 2))
    unaries = jnp.broadcast_to(graph.planes()[..., None], states.shape)
    for temperature in (1.0, 4.0):
        hot = tempering.at_temperature(graph, jnp.asarray(temperature))
        found = fields(hot, unaries / temperature, states, everywhere(hot))
        np.testing.assert_allclose(
            found, fields(graph, unaries, states, everywhere(graph)) / temperature, rtol=1e-5, atol=1e-6
        )
        changed = states.at[0, 2].set(0.0)
        moved = gradients.moved(
            hot, unaries / temperature, found, changed, jnp.array([2, 2], jnp.int32), everywhere(hot)
        )
        wanted = fields(graph, unaries, changed, everywhere(graph)) / temperature
        np.testing.assert_allclose(moved, wanted, rtol=1e-5, atol=1e-5)


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
