"""Section 5.1, learning from the "wrong" model, at the paper's size.

Four spins, all coupled with theta = 0.5; Adam, 200 steps of 0.01, 100 chains, 100 sweeps, seeds 40-44; theta is the
mean of the last 50 iterates; KL divergences from 200,000 samples.
"""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import pmp_kit as pk

TRUTH = pk.CompleteIsing(0.5)
LEARNED = pk.CompleteIsing(0.331)
AUTHORS = pk.PMP(**pk.paper_settings())
NEUTRAL = pk.PMP(**pk.paper_settings(start="neutral"))
SWEEPS = 100


def learned_coupling(seed) -> float:
    states = pk.training(
        jax.random.key(seed), pk.CompleteIsing(0.0), moments=pk.exact.moments(TRUTH), sampler=AUTHORS,
        optimizer=OPTIMIZER, num_chains=100, num_sweeps=SWEEPS,
    )  # fmt: skip
    return float(np.mean([state.model.coupling for state in itertools.islice(states, 150, 200)]))


OPTIMIZER = optax.adam(0.01)


def divergence(sampler) -> float:
    """KL(truth || samples of the learned model), in nats."""
    samples = pk.sample(jax.random.key(40), LEARNED, sampler, num_samples=200_000, num_sweeps=SWEEPS)
    shares = pk.exact.frequencies(TRUTH.graph().variables, samples)
    return float(pk.exact.kl(pk.exact.probabilities(TRUTH), jnp.asarray(shares, jnp.float32)))


@pytest.mark.slow
def test_learned_coupling_is_the_papers(row):
    row("5.1 theta learned by PMP", 0.331, np.mean([learned_coupling(seed) for seed in range(40, 45)]), 0.01)


def test_divergence_of_gibbs_with_the_learned_coupling(row):
    p, q = pk.exact.probabilities(TRUTH), pk.exact.probabilities(LEARNED)
    row("5.1 KL(p || Gibbs), theta 0.331", 0.119, float(pk.exact.kl(p, q)), 0.001)


@pytest.mark.slow
def test_divergence_of_pmp_as_the_authors_run_it(row):
    row("5.1 KL(p || PMP), messages start at zero", 0.007, divergence(AUTHORS), 0.0015)


@pytest.mark.slow
def test_neutral_start_removes_most_of_the_divergence(row):
    row("5.1 KL(p || PMP), neutral start", (0.0, 0.0005), divergence(NEUTRAL))
