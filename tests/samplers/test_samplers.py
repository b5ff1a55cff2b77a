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
    small_rbm,
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


def test_other_noise_than_gumbel_is_not_the_softmax():
    """The chi-square test can fail: three states under uniform noise."""
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=3)), unaries=np.array([[2.0, 0.0, 0.0]]))
    samples = pk.sample(KEY, model, pk.PerturbAndMAP(pk.Exhaustive(), pk.Uniform()), num_samples=20_000, num_sweeps=1)
    assert chi_square(model, samples) < FALSE_ALARM


@pytest.mark.parametrize("coupling", [-1.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("sampler", [pk.PMP(), EXACT_PMP], ids=["PMP", "exact"])
def test_two_spins_match_the_closed_form(sampler, coupling):
    """P(s1 = s2) = 1 - 2 / (1 + e^{2J})^2 for J >= 0, which is not Gibbs' 1 / (1 + e^{-2J}); for J < 0 by symmetry."""
    samples = pk.sample(KEY, pk.CompleteIsing(coupling, spins=2), sampler, num_samples=100_000, num_sweeps=50)
    same = (samples["x"][:, 0] == samples["x"][:, 1]).mean()
    agree = 1 - 2 / (1 + np.exp(2 * abs(coupling))) ** 2
    truth = agree if coupling > 0 else 1 - agree
    error = np.sqrt(truth * (1 - truth) / 100_000)
    assert abs(same - truth) < 4 * error
    assert abs(same - 1 / (1 + np.exp(-2 * coupling))) > 10 * error


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


@pytest.mark.slow
@pytest.mark.parametrize("evidence", [None, one_known(small_rbm())], ids=["free", "clamped"])
def test_gibbs_by_named_blocks_reaches_the_exact_distribution(evidence):
    model, sampler = small_rbm(), pk.Gibbs(blocks=("h", "v"))
    samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=60, evidence=evidence)
    assert chi_square(model, samples, evidence) > FALSE_ALARM


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


def test_a_chain_takes_new_evidence():
    model = small_potts()
    first = pk.sample(KEY, model, pk.Gibbs(), num_samples=50, num_sweeps=3)
    known = {"x": np.array([2, pk.FREE, pk.FREE])}
    then = pk.sample(KEY, model, pk.Gibbs(), num_samples=50, num_sweeps=0, previous=first.chains, evidence=known)
    assert (then["x"][:, 0] == 2).all()
    np.testing.assert_array_equal(then["x"][:, 1:], first["x"][:, 1:])


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


def test_noise_of_scale_zero_gives_the_map():
    model = small_ising()
    x = pk.sample(KEY, model, pk.PMP(noise=pk.Gumbel(0.0)), num_samples=3, num_sweeps=100)["x"]
    np.testing.assert_array_equal(x, np.tile(pk.exact.map_state(model)["x"], (3, 1)))


def test_auxiliary_variables_are_not_perturbed():
    variables = pk.Variables(x=pk.Binary(1000), y=pk.Binary(1000, auxiliary=True))
    samples = pk.sample(KEY, pk.FactorGraph(variables), pk.PMP(), num_samples=1, num_sweeps=1)
    assert 400 < samples["x"].sum() < 600
    assert samples["y"].sum() == 1000  # a tie of exactly zero log-odds goes to 1


def test_block_gibbs_is_refused_where_a_block_is_coupled():
    with pytest.raises(ValueError, match=r"blocks: .*'x', of which two variables share a factor"):
        pk.sample(KEY, small_ising(), pk.Gibbs(blocks=("x",)), num_samples=1, num_sweeps=1)
