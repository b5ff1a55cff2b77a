"""The library works where no thread and no program can be started, and without a home folder: with the same numbers."""

import pathlib
import subprocess
import threading

import jax
import numpy as np
import pytest
from tqdm.auto import tqdm

import pmp_kit as pk
from pmp_kit import batches
from pmp_kit.course.experiments.speed import timing
from pmp_kit.engine import progress, threads

key, lattice = jax.random.key(0), pk.ising_lattice(side=5, coupling=0.3)


def refuse(*arguments, **options):
    raise RuntimeError("can't start new thread")


def no_program(*arguments, **options):
    raise OSError("emscripten does not support processes.")


@pytest.fixture
def fresh(monkeypatch):
    """Two cores, and threads that are tried anew; progress bars that show at once."""
    monkeypatch.setattr(threads, "workers", lambda devices=None: 2)
    monkeypatch.setattr(batches, "THREADED", 0.0)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setenv("PMP_KIT_PROGRESS", "1")
    threads.pool.cache_clear()
    yield
    threads.pool.cache_clear()


def some_of_everything(folder: pathlib.Path) -> dict:
    """Numbers of every verb, of learning, of a solver on the host, and through a file."""
    drawn = pk.sample(key, lattice, pk.PMP(), num_samples=100, num_sweeps=20, chunk=2)
    gibbs = pk.sample(key, lattice, pk.Gibbs(), num_samples=40, num_sweeps=5, chunk=1)
    seen = pk.trace(key, lattice, pk.Gibbs(), num_sweeps=5, num_samples=3)
    best, flow = pk.solve(lattice), pk.solve(lattice, pk.MaxFlow())
    learned = pk.fit(key, lattice, drawn, pk.PMP(), steps=3, batch_size=20, num_sweeps=5)
    pk.save(folder / "model.eqx", learned.model)
    loaded = pk.load(folder / "model.eqx", like=lattice)
    found = {"drawn": drawn["x"], "gibbs": gibbs["x"], "seen": seen.values["x"], "best": best.states["x"]}
    return found | {"flow": flow.score, "gap": learned.history["gap"], "weight": loaded.factors[0].weight}


def test_the_same_numbers_without_threads_programs_and_a_home(fresh, monkeypatch, tmp_path, capsys):
    with_threads = some_of_everything(tmp_path)
    assert threads.pool() is not None
    threads.pool.cache_clear()
    capsys.readouterr()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(tqdm, "monitor", None)  # tqdm would start its thread anew
    monkeypatch.setattr(subprocess.Popen, "__init__", no_program)
    monkeypatch.setattr(pathlib.Path, "home", refuse)
    monkeypatch.setattr(pathlib.Path, "expanduser", refuse)
    without = some_of_everything(tmp_path)
    assert threads.pool() is None
    shown = capsys.readouterr().err
    assert "sampling:" in shown
    assert "fit:" in shown
    for name, value in with_threads.items():
        np.testing.assert_array_equal(value, without[name], err_msg=name)
    assert timing.copy_8_bytes(size=8000, times=1) > 0
