"""Exercise of page 06: samples of PMP that are closer to the data than the paper's."""

from __future__ import annotations

import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.solvers import MaxProduct

from ..experiments.wrong_model import learn
from .picture import Bars
from .verdict import Verdict, as_array, right, shown, wrong

DRAWS, SWEEPS, ENOUGH = 50_000, 100, 2e-3
"""Number of samples, number of sweeps in the paper, and the largest accepted KL in nats, a quarter of the paper's."""
LARGEST = 100.0
"""Largest theta that is tried."""


def check_better_match(theta, sampler) -> Verdict:
    """Check that PMP with this theta is within 0.002 nats of the data of Section 5.1, data theta 0.5, 100 sweeps.

    Args:
        theta: the learned theta, a number.
        sampler: a pk.PMP(...).

    Returns:
        The verdict. It describes the remaining error of the samples.
    """
    if not isinstance(sampler, pk.PerturbAndMAP):
        return wrong(f"The sampler must be pk.PMP(...), and you gave {type(sampler).__name__}.")
    if not isinstance(sampler.solver, MaxProduct):
        solver = type(sampler.solver).__name__
        return wrong(f"The solver must be MaxProduct alone, as in pk.PMP(...), and you gave {solver}.")
    given = as_array(theta)
    if isinstance(given, Verdict) or given.shape != () or not abs(given) <= LARGEST:
        return wrong(
            f"The value of theta must be one number between -{LARGEST:g} and {LARGEST:g}, and you gave {shown(theta)}."
        )
    try:
        p, q = _shares(pk.CompleteIsing(float(given)), sampler)
    except ValueError as error:  # such as a schedule that this model does not have
        return wrong(f"This sampler does not run on four spins. {error}.")
    return _judge(p, q)


def _shares(model, sampler) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the 16 configurations in the data and in the samples."""
    samples = pk.sample(jax.random.key(0), model, sampler, num_samples=DRAWS, num_sweeps=SWEEPS)
    shares = (pk.exact.frequencies(model.graph().variables, samples) * DRAWS + 0.5) / (DRAWS + 8)
    return np.asarray(pk.exact.probabilities(pk.CompleteIsing(learn.THETA)), float), shares


def _judge(p: np.ndarray, q: np.ndarray) -> Verdict:
    """Return the verdict on the samples, with the size and the kind of their error."""
    distance = float((p * np.log(p / q)).sum())
    given, expected = learn.ups(q), learn.ups(p)
    passed, found = distance <= ENOUGH, f"KL is {distance:.4f} nats (of {DRAWS:,} samples)"
    differs = (np.abs(given - expected) > 3 * np.sqrt(expected * (1 - expected) / DRAWS)) & (not passed)
    title = "Probability of each number of spins up, in your samples and in the data:"
    picture = Bars(given, expected, differs, title, ("yours", "data"), axis="spins up")
    if passed:
        times = 0.008 / distance
        return right(f"{found}. The paper has 0.008, which is {times:.0f} times as large.", picture)
    down, up, agree = q[0], q[-1], p[0] + p[-1]
    if abs(down - up) > 0.02:
        why = f"'All down' has probability {down:.3f} and 'all up' {up:.3f}, but both have {p[0]:.3f} in the data. "
        why += "One argument makes the sampler treat the two states differently. Change it."
    elif down + up > agree:
        why = f"All four spins agree too often ({down + up:.3f} instead of {agree:.3f}), so theta is too large."
    else:
        why = f"All four spins agree too rarely ({down + up:.3f} instead of {agree:.3f}), so theta is too small."
    return wrong(f"{found}, and it must be at most {ENOUGH}. {why}", picture)
