"""Section 5.1: learning the coupling of four spins from the exact moments of the true model ("infinite data")."""

import itertools

import jax
import numpy as np

from .... import exact
from ....learning.fit import training
from ....models import CompleteIsing
from ....sample import sample
from ....samplers import PMP, AbstractSampler
from ....solvers import paper_settings
from .. import adam

THETA, LEARNED, BETHE = 0.5, 0.331, 0.316
"""The true coupling; the paper's learned coupling; the paper's limit of learning with the Bethe approximation."""
RATE, STEPS, CHAINS, SWEEPS, LAST = 0.01, 200, 100, 100, 50
"""Learning rate and steps of Adam; chains and sweeps in each step; the last steps, whose mean is reported."""
PAPER = PMP(**paper_settings())
"""Algorithm 1 as printed: messages start at zero, all sweeps run, and the last decoded state counts."""
NEUTRAL = PMP(**paper_settings(start="neutral"))
"""The same with messages that start at w/2, which favours neither state."""


def run(seed: int, steps: int = STEPS) -> dict:
    """Learn the coupling from zero. Returns: "theta", its value after each step, (steps,)."""
    states = training(
        jax.random.key(seed), CompleteIsing(0.0), moments=exact.moments(CompleteIsing(THETA)), sampler=PAPER,
        optimizer=adam(RATE), num_chains=CHAINS, num_sweeps=SWEEPS,
    )  # fmt: skip
    return {"theta": np.array([float(state.model.coupling) for state in itertools.islice(states, steps)])}


def shares(sampler: AbstractSampler, samples: int, seed: int) -> np.ndarray:
    """Return how often each of the 16 configurations comes up if `sampler` draws with the paper's coupling, (16,)."""
    model = CompleteIsing(LEARNED)
    drawn = sample(jax.random.key(seed), model, sampler, num_samples=samples, num_sweeps=SWEEPS)
    return exact.frequencies(model.graph().variables, drawn)


def ups(probabilities) -> np.ndarray:
    """Return the probability that 0, 1, ... 4 spins are up, (5,), from those of the 16 configurations."""
    count = exact.states(CompleteIsing(THETA).graph().variables)["x"].sum(1)
    return np.bincount(count, weights=np.asarray(probabilities), minlength=5)


def correlation(theta):
    """Return the correlation of two spins in the true model with the coupling `theta`, by enumeration."""
    sums = (2 * exact.states(CompleteIsing(THETA).graph().variables)["x"] - 1).sum(1)
    pairs = (sums**2 - 4) / 2  # the sum of s_i s_j over the six pairs
    weights = np.exp(np.asarray(theta)[..., None] * pairs)
    return weights @ pairs / weights.sum(-1) / 6


def bethe_limit() -> float:
    """Return the coupling at which two spins have the correlation 1/2.

    Sum-product with the correlation m of the data multiplies a small deviation from the symmetric fixed point by 2m in
    each sweep. So above m = 1/2 this fixed point is unstable, and the Bethe approximation cannot learn these data.
    """
    thetas = np.linspace(0.2, 0.4, 201)
    return float(np.interp(0.5, correlation(thetas), thetas))
