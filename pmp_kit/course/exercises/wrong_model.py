"""Exercises of notebook 05: estimate KL from samples, and learn a model closer to the data than the paper's."""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.solvers import MaxProduct

from .verdict import Mistake, Verdict, call, compare, right, wrong

DRAWS, SWEEPS, ENOUGH = 50_000, 100, 1e-3
"""Number of samples, number of sweeps in the paper, and the largest accepted KL in nats, an eighth of the paper's."""


def check_counted_kl(divergence: Callable) -> Verdict:
    """Check KL(p || q), where q is estimated from counts with half a sample added to each configuration.

    Args:
        divergence: divergence(p, counts) for p (M,) and counts (M,) -> nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    p, counts = np.array([0.4, 0.3, 0.2, 0.1]), np.array([70.0, 20.0, 10.0, 0.0])
    half = counts + 0.5
    q = half / half.sum()
    expected = (p * np.log(p / q)).sum()
    with np.errstate(divide="ignore"):
        given = call(divergence, p, counts)
    if not isinstance(given, Verdict) and np.isposinf(given).all():
        return wrong("infinite: one configuration never came. Add half a sample to each before you divide.")
    mistakes = [
        Mistake(
            (q * np.log(q / p)).sum(), "this is KL(q || p): the average is over the data's p, the first of the two."
        ),
        Mistake(
            (p * np.log(p / (half / counts.sum()))).sum(),
            "q does not sum to 1: the halves count among the samples, so divide by the sum of what you have.",
        ),
        Mistake((p * np.log(p / half)).sum(), "q is not normalised: divide the counts by their sum."),
        Mistake(expected / np.log(2), "this is in bits; one nat is 1.44 bits. Use the natural logarithm."),
        Mistake(np.log(p / q).sum(), "each logarithm must be weighted by p."),
        Mistake((p * np.log(p / ((counts + 1) / (counts + 1).sum()))).sum(), "add half a sample, not a whole one."),
    ]
    return compare(given, expected, mistakes, praise="and it stays finite where a configuration never came.")


def check_better_match(theta, sampler) -> Verdict:
    """Check that PMP with this theta is within 0.001 nats of the data of Section 5.1, data theta 0.5, 100 sweeps.

    Args:
        theta: the learned theta, a number.
        sampler: a pk.PMP(...).

    Returns:
        The verdict. It describes the remaining error of the samples.
    """
    if not isinstance(sampler, pk.PerturbAndMAP):
        return wrong(f"expected a pk.PMP(...), got {type(sampler).__name__}: the question is what PMP can do.")
    if not isinstance(sampler.solver, MaxProduct):
        return wrong("expected max-product to find the maximum, as PMP does; going through all states is not allowed.")
    try:
        model = pk.CompleteIsing(theta)
    except (TypeError, ValueError) as error:
        return wrong(f"theta is no coupling: {error}")
    return _judge(*_shares(model, sampler))


def _shares(model, sampler) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the 16 configurations in the data and in the samples."""
    samples = pk.sample(jax.random.key(0), model, sampler, num_samples=DRAWS, num_sweeps=SWEEPS)
    shares = (pk.exact.frequencies(model.graph().variables, samples) * DRAWS + 0.5) / (DRAWS + 8)
    return np.asarray(pk.exact.probabilities(pk.CompleteIsing(0.5)), float), shares


def _judge(p: np.ndarray, q: np.ndarray) -> Verdict:
    """Return the verdict on the samples, with the size and the kind of their error."""
    distance = float((p * np.log(p / q)).sum())
    if distance <= ENOUGH:
        return right(f"KL {distance:.4f} nats, where the paper has 0.008: {0.008 / distance:.0f} times closer.")
    down, up, agree = q[0], q[-1], p[0] + p[-1]
    if abs(down - up) > 0.02:
        why = f"'all down' comes with {down:.3f}, 'all up' with {up:.3f}; in the data both have {p[0]:.3f}. Who leans?"
    elif down + up > agree:
        why = f"all four spins agree too often ({down + up:.3f} instead of {agree:.3f}): theta is too large."
    else:
        why = f"all four spins agree too rarely ({down + up:.3f} instead of {agree:.3f}): theta is too small."
    return wrong(f"KL {distance:.4f} nats, and {ENOUGH} is asked. {why}")
