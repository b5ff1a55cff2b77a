"""Samplers against exact distributions. Chi-square tests use fixed keys and fail by chance once in 10,000."""

import jax
import numpy as np
import pytest
from sampler_examples import (
    CHAINS,
    EXAMPLES,
    FALSE_ALARM,
    MODELS,
    chi_square,
    each_slowly,
    small_ising,
    small_potts,
)

import pmp_kit as pk

KEY = jax.random.key(0)
MANY = 5_000
"""One number of samples for most tests: each sampler is then compiled once for a model, not once for a test."""
EXACT_PMP = pk.PerturbAndMAP(pk.Exhaustive())


@pytest.mark.parametrize(
    "sampler", [pk.PMP(), EXACT_PMP, pk.PersistentPMP(), pk.Gibbs()], ids=["PMP", "exact", "persistent", "Gibbs"]
)
@pytest.mark.parametrize("states", [2, 4])
def test_independent_variables_are_sampled_exactly(sampler, states):
    """Lemma 1 of Papandreou and Yuille: with unaries alone, perturb-and-MAP is Gibbs sampling is the softmax."""
    unaries = np.random.default_rng(3).normal(size=(3, states))
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=states)), unaries=unaries)
    samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=1)
    assert chi_square(model, samples) > FALSE_ALARM


@each_slowly(CHAINS)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("clamped", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["free", "clamped"])
def test_chains_reach_the_exact_distribution(example, model, clamped):
    evidence = one_known(model) if clamped else None
    sampler, sweeps = example.make(model), example.mixes_in
    samples = pk.sample(KEY, model, sampler, num_samples=MANY, num_sweeps=sweeps, evidence=evidence)
    assert chi_square(model, samples, evidence) > FALSE_ALARM


def one_known(model):
    """Evidence: the second variable of the first block is in state 1."""
    variables = model.graph().variables
    known = np.full(variables[variables.names[0]].shape, pk.FREE)
    known.reshape(-1)[1] = 1
    return {variables.names[0]: known}


def test_chains_go_on_where_they_stopped():
    """A chain that went on 50 times for one sweep is as good as one of 50 sweeps, and starts from its last state."""
    model = small_ising(scale=1.0)
    samples = pk.sample(KEY, model, pk.Gibbs(), num_samples=10_000, num_sweeps=1)
    assert chi_square(model, samples) < FALSE_ALARM
    for step in range(50):
        key = jax.random.fold_in(KEY, step)
        samples = pk.sample(key, model, pk.Gibbs(), num_samples=10_000, num_sweeps=1, previous=samples.chains)
    assert chi_square(model, samples) > FALSE_ALARM
    still = pk.sample(KEY, model, pk.Gibbs(), num_samples=10_000, num_sweeps=0, previous=samples.chains)
    np.testing.assert_array_equal(still["x"], samples["x"])
    for _ in range(50):
        samples = pk.sample(key, model, pk.Gibbs(), num_samples=10_000, num_sweeps=1, previous=samples.chains)
    assert chi_square(model, samples) < FALSE_ALARM  # the same random numbers again and again


@each_slowly(EXAMPLES)
@pytest.mark.parametrize(
    "model",
    [small_ising(), pytest.param(small_potts(), marks=pytest.mark.slow)],
    ids=["binary", "categorical"],
)
def test_samples_do_not_depend_on_the_chunk_or_on_how_many_are_drawn(example, model):
    name, sampler = model.graph().variables.names[0], example.make(model)
    some = pk.sample(KEY, model, sampler, num_samples=10, num_sweeps=20, chunk=3)[name]
    more = pk.sample(KEY, model, sampler, num_samples=MANY, num_sweeps=20)[name]
    np.testing.assert_array_equal(some, more[:10])
    assert len(np.unique(some.reshape(10, -1), axis=0)) > 1


@each_slowly(EXAMPLES)
def test_evidence_of_every_sample_is_kept(example):
    """Also where all variables are known; and new evidence, against the chain's states, is taken."""
    rng = np.random.default_rng(0)
    model = small_ising(scale=2.0)
    sampler, chains = example.make(model), None
    for sweeps in (10, 2, 0):
        evidence = rng.choice([pk.FREE, 0, 1], size=(MANY, 6))
        evidence[0] = 1
        samples = pk.sample(
            KEY, model, sampler, num_samples=MANY, num_sweeps=sweeps, evidence={"x": evidence}, previous=chains
        )
        np.testing.assert_array_equal(samples["x"][evidence >= 0], evidence[evidence >= 0])
        chains = samples.chains
    if example.mixes_in:
        still = pk.sample(
            KEY, model, sampler, num_samples=MANY, num_sweeps=0, evidence={"x": evidence}, previous=chains
        )
        np.testing.assert_array_equal(still["x"], samples["x"])


def test_auxiliary_variables_are_not_perturbed():
    variables = pk.Variables(x=pk.Binary(1000), y=pk.Binary(1000, auxiliary=True))
    samples = pk.sample(KEY, pk.FactorGraph(variables), pk.PMP(), num_samples=1, num_sweeps=1)
    assert 400 < samples["x"].sum() < 600
    assert samples["y"].sum() == 1000  # a tie of exactly zero log-odds goes to 1
