"""diagnose: right samplers pass, wrong ones fail, and its advice helps."""

import re

import jax
import numpy as np
import pytest
from small_models import chain

import pmp_kit as pk

KEY = jax.random.key(0)
LATTICE = pk.ising_lattice(4, coupling=0.2, bias=0.1)
GIBBS = pk.Gibbs(pk.colours(LATTICE))


def hamming_code():
    """Seven noisy bits with three parity checks, as on page 12."""
    variables = pk.Variables(bit=pk.Binary(7))
    checks = pk.Parity([[0, 2, 4, 6], [1, 2, 5, 6], [3, 4, 5, 6]])
    received = np.array([1, 0, 1, 0, 0, 0, 1])
    return pk.FactorGraph(variables, [checks], {"bit": np.log(9.0) * (2 * received - 1)})


def by_name(diagnosis):
    return {check.name: check for check in diagnosis.checks}


def advised_sweeps(check):
    return int(re.search(r"num_sweeps=(\d+)", check.advice)[1])


def test_exact_samplers_pass_all_checks():
    for seed in range(4):
        found = pk.diagnose(jax.random.key(seed), chain(), pk.ForwardBackward(), num_samples=300, num_sweeps=0)
        assert [check.ok for check in found.checks] == [True, True]
        found = pk.diagnose(jax.random.key(seed), LATTICE, GIBBS, num_samples=300, num_sweeps=100)
        assert [check.ok for check in found.checks] == [True] * 5, str(found)
    assert len(str(found).splitlines()) == 5
    assert "NOT OK" not in str(found)


def test_the_samples_are_those_of_sample():
    found = pk.diagnose(KEY, LATTICE, num_samples=30, num_sweeps=10)
    np.testing.assert_array_equal(found.samples["x"], pk.sample(KEY, LATTICE, num_samples=30, num_sweeps=10)["x"])


def test_a_search_that_fails_is_repaired_by_the_advice():
    code = hamming_code()
    before = by_name(pk.diagnose(KEY, code, num_samples=300, num_sweeps=8))
    assert not before["possible"].ok
    assert not before["settled"].ok
    settled = by_name(pk.diagnose(KEY, code, num_samples=300, num_sweeps=advised_sweeps(before["settled"])))
    assert settled["settled"].ok
    assert "Use pk.exact.sample" in before["possible"].advice
    assert np.isfinite(pk.score(code, pk.exact.sample(KEY, code, 300))).all()
    better = pk.PerturbAndMAP(pk.Portfolio(pk.MaxProduct(), pk.CoordinateAscent()))
    repaired = by_name(pk.diagnose(KEY, code, better, num_samples=300, num_sweeps=64))
    assert repaired["possible"].ok
    assert not repaired["exact"].ok  # noise on single bits does not give the distribution of words
    assert "Use pk.exact" in repaired["exact"].advice


def test_chains_that_are_too_short_get_the_sweeps_that_are_enough():
    slow = pk.ising_lattice(4, coupling=0.3, bias=0.1)
    sampler = pk.Gibbs(pk.colours(slow))
    before = by_name(pk.diagnose(KEY, slow, sampler, num_samples=300, num_sweeps=20))
    assert not before["mixed"].ok
    after = pk.diagnose(KEY, slow, sampler, num_samples=300, num_sweeps=advised_sweeps(before["mixed"]))
    assert all(check.ok for check in after.checks), str(after)


@pytest.fixture
def without_elimination(monkeypatch):
    """The advice for models that are too far from a tree for exact samples."""
    monkeypatch.setattr(pk.exact, "takes_little", lambda *arguments: False)


@pytest.mark.slow
def test_chains_in_two_modes_are_told_to_use_a_tuned_ladder_which_mixes(without_elimination):
    model = pk.ising_lattice(4, coupling=0.7, bias=0.01)
    gibbs = pk.Gibbs(pk.colours(model))
    before = by_name(pk.diagnose(KEY, model, gibbs, num_samples=300, num_sweeps=100))
    assert before["settled"].ok  # the share of each mode stays that of the starts
    assert not before["mixed"].ok
    assert "tune_ladder" in before["mixed"].advice
    ladder = pk.tune_ladder(KEY, model, gibbs)
    after = pk.diagnose(KEY, model, ladder, num_samples=60, num_sweeps=1000)
    assert all(check.ok for check in after.checks), str(after)


def test_chains_that_do_not_move_are_told_so():
    found = by_name(pk.diagnose(KEY, hamming_code(), pk.Gibbs(), num_samples=100, num_sweeps=16))
    assert found["moving"].value == 0.0
    assert not found["moving"].ok
    assert not found["exact"].ok
    assert "Use pk.exact.sample" in found["moving"].advice


def test_chains_that_do_not_move_are_told_the_reason(without_elimination):
    found = by_name(pk.diagnose(KEY, hamming_code(), pk.Gibbs(), num_samples=100, num_sweeps=16))
    assert "constraints" in found["moving"].advice
    search = by_name(pk.diagnose(KEY, hamming_code(), num_samples=100, num_sweeps=8))
    assert "random orders" in search["possible"].advice


def test_a_model_too_large_to_enumerate_is_compared_with_exact_samples():
    model = pk.ising_lattice(6, coupling=0.7, bias=0.01)
    found = by_name(pk.diagnose(KEY, model, num_samples=100, num_sweeps=20))["exact"]
    assert not found.ok
    assert "20000 exact samples" in found.verdict
    assert "Use pk.exact.sample" in found.advice


@pytest.mark.slow
def test_a_model_too_large_for_exact_samples_is_compared_with_long_chains(without_elimination):
    model = pk.ising_lattice(10, coupling=0.2)
    gibbs = by_name(pk.diagnose(KEY, model, pk.Gibbs(pk.colours(model)), num_samples=300, num_sweeps=100))["exact"]
    pmp = by_name(pk.diagnose(KEY, model, num_samples=300, num_sweeps=50))["exact"]
    assert gibbs.ok
    assert not pmp.ok
    frozen = by_name(pk.diagnose(KEY, pk.ising_lattice(10, coupling=0.7), num_samples=30, num_sweeps=50))["exact"]
    assert frozen.ok is None
