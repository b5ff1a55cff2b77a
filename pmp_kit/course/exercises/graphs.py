"""Exercise of page 15: find wrong couplings with which PMP draws better samples."""

from __future__ import annotations

import functools

import jax
import numpy as np

import pmp_kit as pk

from ..experiments.graphs import learn
from .picture import Bars
from .verdict import Verdict, as_array, right, shown, wrong

QUICK, LATTICE = learn.SIZES["quick"], learn.LATTICE
DRAWS, SWEEPS, ENOUGH = QUICK["draws"], 50, 3.0
"""Number of samples and sweeps of PMP, and the largest accepted MMD^2 in standard deviations of exact sampling."""
SETS = 4
"""Sets of samples whose distances are averaged. One set varies by more than 1 standard deviation."""
LARGEST = 100.0
"""Largest factor that is tried."""


def check_better_samples(factor) -> Verdict:
    """Check that PMP draws better samples with `factor` times the true W of the lattice than with W.

    Args:
        factor: one number.

    Returns:
        The verdict. It reports the errors of the samples and of the couplings.
    """
    given = as_array(factor)
    if isinstance(given, Verdict):
        return given
    if given.shape != () or not abs(given) <= LARGEST:
        return wrong(
            f"The factor must be one number between -{LARGEST:g} and {LARGEST:g}, and you gave {shown(factor)}."
        )
    value = float(given)
    (distance, rmse), (before, _) = measured(value), measured(1.0)
    passed = distance <= ENOUGH
    found = f"With {value:g} W the samples are {distance:.1f} sd from new data, and RMSE is {rmse:.3f}"
    true = f"With the true W they are {before:.1f} sd away"
    title = "Distance of the samples from new data, in standard deviations (sd):"
    heights, limits, names = np.array([distance, before]), np.full(2, ENOUGH), [f"{value:g} W (yours)", "true W"]
    picture = Bars(heights, limits, np.array([not passed, False]), title, ("samples", "limit"), names)
    if passed:
        return right(f"{found}. {true}, and RMSE is 0. The wrong couplings draw better samples.", picture)
    if value == 1.0:
        hint = "The couplings are exact, but PMP exaggerates the effect of couplings. Find a factor that corrects it."
        return wrong(f"{found}. {hint}", picture)
    if value > 1.0:
        return wrong(f"{found}. {true}. PMP already exaggerates them, so decrease the factor.", picture)
    if value < 0.0:
        return wrong(f"{found}. {true}. The couplings have the wrong sign, so use a factor above 0.", picture)
    if value < 0.5:
        return wrong(f"{found}. {true}. The couplings are now too weak.", picture)
    return wrong(f"{found}. {true}. At most {ENOUGH:g} sd are allowed. Decrease the factor further.", picture)


@functools.lru_cache(maxsize=32)
def measured(factor: float) -> tuple[float, float]:
    """Mean MMD^2 at scale 10 of `SETS` sets of samples, in standard deviations of exact sampling, and the RMSE."""
    nodes = QUICK["nodes"][LATTICE]
    weight, bias = learn.truth(LATTICE, nodes)
    model = learn.SpinIsing(jax.numpy.asarray(factor * weight, float), jax.numpy.asarray(bias, float))
    distances = []
    for key in jax.random.split(jax.random.key(8), SETS):
        drawn = pk.sample(key, model, pk.PMP(), num_samples=DRAWS, num_sweeps=SWEEPS)["x"]
        result = learn.judged(drawn, factor * weight, LATTICE, nodes, QUICK["samples"], QUICK["mixing"][LATTICE])
        distances.append(float(result["mmd"][1] / result["null"][1]))
    return float(np.mean(distances)), result["rmse"]
