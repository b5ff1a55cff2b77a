"""The verbs solve, sample and trace: shapes, early stops, no recompiles, chunks, progress."""

import importlib
import sys
import types

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit import batches, run
from pmp_kit.engine import chunks, memory, threads

sampling = importlib.import_module("pmp_kit.sample")  # `pk.sample` is the function

KEY = jax.random.key(0)


def model_of(seed, size=7):
    rng = np.random.default_rng(seed)
    weight = rng.normal(size=(size, size))
    return pk.Ising(symmetric(weight), rng.normal(size=size))


def test_no_number_compiles_again():
    """Damping, start, tolerance, patience, scale, sweeps, weights, evidence, key: all are traced."""
    before = None
    for number in range(1, 6):
        sampler = pk.PMP(
            damping=number / 10,
            start="zero" if number % 2 else "neutral",
            keep_best=number % 2 == 0,
            tolerance=number * 1e-3,
            patience=number,
            noise=pk.Gumbel(scale=number / 3),
        )
        key, model = jax.random.key(number), model_of(number)
        evidence = {"x": np.full(7, pk.FREE if number % 2 else 1)}
        pk.sample(key, model, sampler, num_samples=6, num_sweeps=number * 10, evidence=evidence)
        pk.sample(key, model, pk.Gibbs(), num_samples=6, num_sweeps=number)
        pk.sample(key, pk.ising_lattice(3, coupling=number / 10), sampler, num_samples=16, num_sweeps=number)
        pk.solve(model, pk.MaxProduct(number / 10), num_sweeps=number)
        pk.trace(key, model, sampler, num_sweeps=9 + number, every=2, observe=pk.observe.beliefs)
        compiled = run.compiled_draw_chunks(wide=False), run.compiled_draw_chunks(wide=True), run.trace_rows
        sizes = [each._cache_size() for each in compiled]
        before = before or sizes
        assert sizes == before, f"compiled again at round {number}"


def test_a_trace_shows_what_sample_returns():
    model, sampler = model_of(0), pk.PMP(tolerance=0.0)
    seen = pk.trace(KEY, model, sampler, num_sweeps=11, every=3, num_samples=4)
    assert seen.sweeps.tolist() == [0, 3, 6, 9, 11]
    assert seen.values["x"].shape == (5, 4, 7)
    for row, sweeps in enumerate(seen.sweeps):
        x = pk.sample(KEY, model, sampler, num_samples=4, num_sweeps=int(sweeps))["x"]
        np.testing.assert_array_equal(seen.values["x"][row], x)


def test_early_stop_uses_fewer_sweeps_and_gives_the_same_samples():
    model = pk.ising_lattice(5, coupling=0.1)
    stopped = pk.sample(KEY, model, pk.PMP(tolerance=1e-4), num_samples=50, num_sweeps=300)
    full = pk.sample(KEY, model, pk.PMP(tolerance=0.0), num_samples=50, num_sweeps=300)
    np.testing.assert_array_equal(stopped["x"], full["x"])
    assert (full.sweeps == 300).all()
    assert (stopped.sweeps < 300).any()


def test_patience_stops_a_chain_that_does_not_improve():
    rng = np.random.default_rng(1)
    weight = rng.uniform(-4, 4, size=(12, 12))
    model = pk.Ising(symmetric(weight), rng.normal(size=12))
    best, last = (
        pk.sample(KEY, model, pk.PMP(0.0, keep_best=keep, tolerance=0.0, patience=20), num_samples=20, num_sweeps=2000)
        for keep in (True, False)
    )
    assert (best.sweeps < 2000).all()
    assert (best.sweeps >= 20).all()
    assert best.sweeps.min() < best.sweeps.max()  # counted from the best score, which samples find at different times
    np.testing.assert_array_equal(last.sweeps, best.sweeps)  # although the last score falls and rises


def test_solve_takes_many_problems_at_once():
    model = model_of(3)
    evidence = np.full((5, 7), pk.FREE)
    evidence[np.arange(5), np.arange(5)] = 1
    together = pk.solve(model, evidence={"x": evidence})
    assert together.states["x"].shape == (5, 7)
    assert together.score.shape == together.converged.shape == together.sweeps.shape == (5,)
    for row in range(5):
        alone = pk.solve(model, evidence={"x": evidence[row]})
        np.testing.assert_array_equal(alone.states["x"], together.states["x"][row])
        assert alone.score == pytest.approx(together.score[row])


@pytest.mark.parametrize("number", [3, 300])
def test_samples_are_the_caller_s_to_change(number):
    samples = pk.sample(KEY, model_of(0), num_samples=number, num_sweeps=1)
    samples["x"][0], samples.sweeps[0] = 0, 0


def test_blocks_keep_their_shapes():
    variables = pk.Variables(a=pk.Binary(2, 3), b=pk.Categorical(4, states=5), c=pk.Binary())
    samples = pk.sample(KEY, pk.FactorGraph(variables), num_samples=7, num_sweeps=1)
    assert {name: x.shape for name, x in samples.items()} == {"a": (7, 2, 3), "b": (7, 4), "c": (7,)}
    assert all(x.dtype == np.int32 for x in samples.values())
    assert samples["b"].max() < 5


def test_chunks_fit_the_budget():
    assert choose(pk.ising_lattice(25), pk.PMP(), 1000) > 20
    dense = pk.Ising(np.zeros((900, 900)), np.zeros(900)).graph()
    assert choose(dense, pk.PMP(), 100) == 1


def choose(model, sampler, number):
    """The chunk on one device."""
    return chunks.choose(model, sampler, number, jax.devices()[:1])


def test_the_default_chunk_does_not_depend_on_the_number_of_cores(monkeypatch):
    sizes = {}
    for workers in (1, 2, 64):
        monkeypatch.setattr(threads, "workers", lambda *_, workers=workers: workers)
        samplers = pk.PMP(), pk.Gibbs(), pk.GibbsWithGradients()
        sizes[workers] = [choose(pk.ising_lattice(5), sampler, number) for sampler in samplers for number in (9, 100)]
    assert sizes[1] == sizes[2] == sizes[64]


def test_an_option_that_the_compiler_does_not_know_is_left_out(monkeypatch):
    monkeypatch.setattr(run, "WIDE", {"xla_made_up": 1})
    run.compiled_draw_chunks.cache_clear()
    assert pk.sample(KEY, pk.ising_lattice(4), num_samples=16, num_sweeps=2)["x"].shape == (16, 4, 4)
    run.compiled_draw_chunks.cache_clear()


@pytest.mark.parametrize(
    ("notebook", "environment", "shown"),
    [
        (True, {}, True),
        (True, {"CI": "true"}, False),
        (True, {"PMP_KIT_PROGRESS": "0"}, False),
        (False, {}, False),
        (False, {"CI": "true", "PMP_KIT_PROGRESS": "1"}, True),
    ],
    ids=["notebook", "CI", "switched off", "log", "switched on"],
)
def test_progress_is_shown_to_people_only(notebook, environment, shown, monkeypatch, capsys):
    from pmp_kit.engine import progress

    monkeypatch.setattr(progress, "DELAY", 0.0)
    shell = types.SimpleNamespace(kernel=None) if notebook else None
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))  # which does not say who runs the code
    for name in ("CI", "PMP_KIT_PROGRESS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    pk.sample(KEY, model_of(0), num_samples=2000, num_sweeps=2, chunk=1)
    assert ("sampling" in capsys.readouterr().err) == shown


def test_a_model_is_built_once_but_a_changed_one_again():
    """Equinox modules of JAX arrays cannot change. Other models can, so they are built in each call."""
    built = []

    class Counted(eqx.Module):
        bias: jax.Array | np.ndarray

        def graph(self):
            built.append(1)
            return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), unaries={"x": self.bias})

    fixed, free = Counted(jnp.array([90.0, 90.0])), Counted(np.array([90.0, 90.0]))
    for _ in range(3):
        assert pk.solve(fixed).states["x"].tolist() == [1, 1]
    assert len(built) == 1
    assert pk.solve(free).states["x"].tolist() == [1, 1]
    free.bias[:] = -90.0
    assert pk.solve(free).states["x"].tolist() == [0, 0]


def test_many_problems_are_solved_in_chunks_within_the_memory(monkeypatch):
    """All problems were solved in one call of any size, on one core and without a progress bar."""
    sizes, real = [], batches._Program.in_one_call

    def counted(task, ids, step):
        sizes.append(ids.shape)
        return real(task, ids, step)

    monkeypatch.setattr(batches._Program, "in_one_call", counted)
    evidence = {"x": np.full((600, 5, 5), pk.FREE)}
    assert pk.solve(pk.ising_lattice(5), evidence=evidence).score.shape == (600,)
    assert max(chunk for _, chunk in sizes) <= chunks.MOST_SAMPLES["messages"]
    monkeypatch.setattr(memory, "available", lambda: 1e6)
    monkeypatch.setattr(memory, "SMALL", 0)
    with pytest.raises(ValueError, match="free memory, got 600000 of 25 variables"):
        pk.solve(pk.ising_lattice(5), evidence={"x": np.full((600_000, 5, 5), pk.FREE, np.int8)})
