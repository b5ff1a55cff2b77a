"""Work in threads: at the same time, and with the settings of JAX that hold in the calling thread only."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk
from pmp_kit import batches
from pmp_kit.engine import devices, threads

KEY, MANY = jax.random.key(0), 8  # samples, each of them in a task of its own
ENABLE_X64 = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64  # JAX 0.7.2: the second


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda devices=None: 2)
    monkeypatch.setattr(batches, "THREADED", 0.0)
    threads.pool.cache_clear()
    yield
    threads.pool.cache_clear()


def other_setting(name: str):
    """A context in which a setting that changes numbers or types differs in this thread only."""
    if name == "x64":
        return ENABLE_X64(not jax.config.jax_enable_x64)
    return jax.threefry_partitionable(not jax.config.jax_threefry_partitionable)


@pytest.mark.parametrize("name", some(["x64", "threefry_partitionable"], {"x64"}))
@pytest.mark.parametrize("num_sweeps", [2, 60_000], ids=["few calls", "many calls"])
def test_samples_in_threads_follow_the_settings_of_the_caller(name, num_sweeps):
    """A setting that holds in one thread, such as float64, held in no other: samples were drawn without it."""
    with other_setting(name):
        variables = pk.Variables(x=pk.Categorical(4, states=3))
        model = pk.FactorGraph(variables, [], {"x": np.full((4, 3), [0.0, 1.0, -1.0])})
        how = {"num_samples": MANY, "num_sweeps": num_sweeps}
        parts, whole = (pk.sample(KEY, model, pk.Gibbs(), chunk=chunk, **how) for chunk in (1, MANY))
        assert jax.tree.map(jnp.result_type, parts.chains) == jax.tree.map(jnp.result_type, whole.chains)
        np.testing.assert_array_equal(parts["x"], whole["x"])


@pytest.fixture
def at_the_same_time(monkeypatch):
    """Compiled calls that wait for each other, so they fail unless two run at the same time."""
    both, real = threading.Barrier(2), batches._Program.in_one_call

    def in_one_call(task, ids, step):
        both.wait(20)
        return real(task, ids, step)

    monkeypatch.setattr(batches._Program, "in_one_call", in_one_call)


def test_chunks_run_at_the_same_time_on_one_of_several_devices(at_the_same_time, monkeypatch):
    """A copy to NumPy inside a lock made one wait for the other."""
    monkeypatch.setattr(devices, "everywhere", lambda used: False)
    samples = pk.sample(KEY, pk.ising_lattice(3), num_samples=8, num_sweeps=2, chunk=4, devices=jax.devices()[:1])
    assert samples["x"].shape == (8, 3, 3)
