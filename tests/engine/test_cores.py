"""Work in threads follows the settings of JAX that hold in the calling thread only."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine import cores

KEY, MANY = jax.random.key(0), 8  # samples, each of them in a task of its own


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(cores, "workers", lambda devices=None: 2)
    cores.threads.cache_clear()
    yield
    cores.threads.cache_clear()


@pytest.mark.parametrize("name", cores.SETTINGS)
def test_threads_have_the_settings_of_their_caller(name):
    """A setting that holds in one thread, such as float64, held in no other: samples were drawn without it."""
    before = getattr(jax.config, name)
    other = "float32" if name == "jax_default_matmul_precision" else not before
    with cores.SETTINGS[name](other):
        assert list(cores.side_by_side(lambda task: getattr(jax.config, name), [0] * MANY, 2)) == [other] * MANY
    assert list(cores.side_by_side(lambda task: getattr(jax.config, name), [0] * MANY, 2)) == [before] * MANY


@pytest.mark.parametrize("name", ["jax_enable_x64", "jax_threefry_partitionable"])
@pytest.mark.parametrize("sampler", [pk.PMP(), pk.Gibbs()], ids=["PMP", "Gibbs"])
def test_samples_do_not_depend_on_the_chunk_under_such_a_setting(name, sampler):
    with cores.SETTINGS[name](not getattr(jax.config, name)):
        variables = pk.Variables(x=pk.Categorical(4, states=3))
        model = pk.FactorGraph(variables, [], {"x": np.full((4, 3), [0.0, 1.0, -1.0])})
        parts, whole = (pk.sample(KEY, model, sampler, num_samples=MANY, num_sweeps=2, chunk=c) for c in (1, MANY))
        assert jax.tree.map(jnp.result_type, parts.chains) == jax.tree.map(jnp.result_type, whole.chains)
        np.testing.assert_array_equal(parts["x"], whole["x"])
