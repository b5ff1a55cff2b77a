"""Work in threads: with the settings of JAX that hold in the calling thread only, at the same time, and no longer."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

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


@pytest.mark.parametrize("name", ["x64", "threefry_partitionable"])
@pytest.mark.parametrize("sampler", [pk.PMP(), pk.Gibbs()], ids=["PMP", "Gibbs"])
@pytest.mark.parametrize("num_sweeps", [2, 60_000], ids=["few calls", "many calls"])
def test_samples_in_threads_follow_the_settings_of_the_caller(name, sampler, num_sweeps):
    """A setting that holds in one thread, such as float64, held in no other: samples were drawn without it."""
    with other_setting(name):
        variables = pk.Variables(x=pk.Categorical(4, states=3))
        model = pk.FactorGraph(variables, [], {"x": np.full((4, 3), [0.0, 1.0, -1.0])})
        how = {"num_samples": MANY, "num_sweeps": num_sweeps}
        parts, whole = (pk.sample(KEY, model, sampler, chunk=chunk, **how) for chunk in (1, MANY))
        assert jax.tree.map(jnp.result_type, parts.chains) == jax.tree.map(jnp.result_type, whole.chains)
        np.testing.assert_array_equal(parts["x"], whole["x"])


def test_tasks_run_at_the_same_time():
    """A lock around the whole of a task made one wait for the other."""
    both = threading.Barrier(2)
    assert list(threads.side_by_side(lambda task, step: both.wait(10) >= 0, [0, 1], 2, print)) == [True, True]


def test_threads_end_their_work_when_the_caller_leaves():
    going, ended = threading.Event(), []

    def work(task, step):
        try:
            while True:
                going.set()
                step(1.0)
        finally:
            ended.append(task)

    results = threads.side_by_side(work, [0, 1, 2], 2, lambda amount: interrupt())

    def interrupt():
        assert going.is_set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(results)
    assert sorted(ended) in ([0, 1], [0, 1, 2])


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


class Promoting(pk.Gibbs):
    """Gibbs sampling whose arrays have different numbers of axes."""

    def sweep(self, keys, graph, unaries, state):
        return super().sweep(keys, graph, unaries, state) + jnp.zeros(state.shape[-1:])


def test_other_settings_hold_in_threads_as_well():
    with jax.numpy_rank_promotion("raise"), pytest.raises(ValueError, match="rank"):
        pk.sample(KEY, pk.ising_lattice(3), Promoting(), num_samples=8, num_sweeps=2, chunk=4)
    with jax.disable_jit():
        assert pk.sample(KEY, pk.ising_lattice(3), num_samples=4, num_sweeps=1, chunk=2)["x"].shape == (4, 3, 3)


def test_a_graph_is_placed_once_a_call(monkeypatch):
    placed, graphs = devices.placed, []

    def counted(tree, used):
        graphs.extend(part for part in tree if isinstance(part, pk.FactorGraph))
        return placed(tree, used)

    monkeypatch.setattr(devices, "placed", counted)
    pk.sample(KEY, pk.ising_lattice(3), num_samples=200, num_sweeps=2, chunk=1)
    assert len(graphs) == 1
