"""Samples in parts: the parts are those of `sample`, are computed a few ahead, and stop with the loop over them."""

import time

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit import batches
from pmp_kit.engine import chunks, threads

KEY = jax.random.key(3)
MODEL = pk.ising_lattice(3, coupling=0.3)
NUMBER, CHUNK = 1_000, 3  # more than two compiled calls, and the last chunk is not full


@pytest.fixture
def calls(monkeypatch):
    """A list that grows by one with every part that is computed."""
    made, real = [], batches._Program.in_one_call

    def counted(run, ids, step):
        made.append(len(made))
        return real(run, ids, step)

    monkeypatch.setattr(batches._Program, "in_one_call", counted)
    return made


@pytest.mark.parametrize(
    "sampler", [pk.PMP(), pk.Gibbs(), pk.PMP(noise=pk.StratifiedGumbel())], ids=["PMP", "Gibbs", "stratified PMP"]
)
def test_the_parts_in_order_are_the_samples_of_sample(sampler):
    options = {"num_samples": NUMBER, "num_sweeps": 4, "chunk": CHUNK, "evidence": {"x": _first_spin()}}
    parts = list(pk.stream(KEY, MODEL, sampler, **options))
    whole = pk.sample(KEY, MODEL, sampler, **options)
    joined = jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)
    assert len(parts) > 2
    assert all(isinstance(part, pk.Samples) for part in parts)
    assert jax.tree.structure(joined) == jax.tree.structure(whole)
    for one, other in zip(jax.tree.leaves(joined), jax.tree.leaves(whole), strict=True):
        assert np.array_equal(one, other)


def _first_spin():
    """Evidence that differs between the samples."""
    known = np.full((NUMBER, 3, 3), pk.FREE)
    known[:, 0, 0] = np.arange(NUMBER) % 2
    return known


def test_a_part_is_small_however_large_the_model_is(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda *_: 1)  # several would make the parts small without a budget
    monkeypatch.setattr(chunks, "CALL_BYTES", 4 * 9 * CHUNK * 2)  # room for two chunks of nine spins
    sizes = [part["x"].shape[0] for part in pk.stream(KEY, MODEL, num_samples=20, num_sweeps=1, chunk=CHUNK)]
    assert max(sizes) <= 2 * CHUNK
    assert sum(sizes) == 20


def test_parts_are_computed_a_few_ahead(calls):
    parts = pk.stream(KEY, MODEL, num_samples=NUMBER, num_sweeps=1, chunk=1)
    assert calls == []
    next(parts)
    time.sleep(0.3)
    ahead = len(calls)
    assert ahead <= threads.workers() + 1 < NUMBER / chunks.CHUNKS_A_CALL
    parts.close()
    time.sleep(0.1)
    assert len(calls) == ahead


def test_a_mistake_is_reported_before_the_first_part(calls):
    with pytest.raises(ValueError, match=r"num_samples: expected .* got 0"):
        pk.stream(KEY, MODEL, num_samples=0, num_sweeps=1)
    with pytest.raises(ValueError, match=r"chunk: expected .* got 0"):
        pk.stream(KEY, MODEL, num_samples=5, num_sweeps=1, chunk=0)
    assert calls == []
