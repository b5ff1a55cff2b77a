"""Exercise of notebook 08: find wrong parameters with which PMP draws better samples."""

from __future__ import annotations

import functools

import jax
import numpy as np

import pmp_kit as pk

from ..experiments.graphs import learn
from .verdict import Verdict, as_array, right, wrong

QUICK, LATTICE = learn.SIZES["quick"], learn.LATTICE
DRAWS, SWEEPS, ENOUGH = QUICK["draws"], 50, 3.0
"""Number of samples and sweeps of PMP, and the largest accepted MMD^2 in standard deviations of exact sampling."""


def check_better_samples(factor) -> Verdict:
    """Check that PMP draws better samples with `factor` times the true W of the lattice than with W.

    Args:
        factor: one number.

    Returns:
        The verdict. It reports the errors of the samples and of the parameters.
    """
    given = as_array(factor)
    if isinstance(given, Verdict):
        return given
    if given.shape != () or not np.isfinite(given):
        return wrong(f"expected one finite number, got {factor!r}.")
    value = float(given)
    (distance, rmse), (before, _) = measured(value), measured(1.0)
    found = f"with {value:g} W the samples are {distance:.1f} sd from new data, RMSE {rmse:.3f}"
    if distance <= ENOUGH:
        return right(f"{found}; with the true W, {before:.1f} sd, RMSE 0. The wrong parameters draw better.")
    if value == 1.0:
        return wrong(f"{found}. Perfect parameters, imperfect samples: PMP exaggerates. What makes up for it?")
    if value > 1.0:
        return wrong(f"{found}; with W itself, {before:.1f} sd. PMP exaggerates agreement already: go the other way.")
    if value < 0.5:
        return wrong(f"{found}; with W itself, {before:.1f} sd. Hardly any coupling is left.")
    return wrong(f"{found}; with W itself, {before:.1f} sd: at most {ENOUGH:g} sd are asked. Go on in this direction.")


@functools.lru_cache(maxsize=32)
def measured(factor: float) -> tuple[float, float]:
    """MMD^2 at scale 10 of PMP's samples in standard deviations of exact sampling, and the RMSE of `factor` times W."""
    nodes = QUICK["nodes"][LATTICE]
    weight, bias = learn.truth(LATTICE, nodes)
    model = learn.SpinIsing(jax.numpy.asarray(factor * weight, float), jax.numpy.asarray(bias, float))
    drawn = pk.sample(jax.random.key(8), model, pk.PMP(), num_samples=DRAWS, num_sweeps=SWEEPS)["x"]
    result = learn.judged(drawn, factor * weight, LATTICE, nodes, QUICK["samples"], QUICK["mixing"][LATTICE])
    return float(result["mmd"][1] / result["null"][1]), result["rmse"]
