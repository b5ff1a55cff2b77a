"""Bounds of log Z of a small spin glass by max-product and by the dual value of MPLP, sweep by sweep."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from ....measures.errors import mean_and_error
from ..shared import spin_glass

MOST_SWEEPS = 100
SWEEPS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100)
PERTURBATIONS = (10, 20, 40, 100)


class State(NamedTuple):
    """Means over the perturbations minus log Z, and their standard errors, after 1, 2, ... sweeps, in nats."""

    means: dict[str, Float[np.ndarray, " sweeps"]]
    """By the name of a curve: "dual", MPLP's bound of E max; "exact", E max itself; "primal", the best that
    max-product found; "lower", the same with the noise divided by n; "mplp", the last that MPLP found."""
    errors: dict[str, Float[np.ndarray, " sweeps"]]
    sweeps: int
    log_z: float
    perturbations: int

    def at(self, name: str) -> tuple[float, float]:
        """Return mean and standard error of a curve after the chosen number of sweeps."""
        return float(self.means[name][self.sweeps - 1]), float(self.errors[name][self.sweeps - 1])


@functools.lru_cache(maxsize=32)
def _curves(size: int, reach: float, perturbations: int, seed: int) -> tuple[dict, dict, float]:
    """Compute all curves over all sweeps: means, standard errors, log Z."""
    model = spin_glass.glass(size, reach, perturbations, seed)
    plain, exact = spin_glass.enumerated(model)
    log_z = float(np.logaddexp.reduce(plain))
    found = _best(model._replace(noise=np.hstack([model.noise, model.noise / size])))
    path = spin_glass.mplp(model, MOST_SWEEPS, seed)
    rest = np.minimum(np.arange(1, MOST_SWEEPS + 1), len(path.dual) - 1)
    values = {
        "dual": np.minimum.accumulate(path.dual)[rest],
        "exact": np.broadcast_to(model.score(exact), (MOST_SWEEPS, perturbations)),
        "primal": found[:, :perturbations],
        "lower": found[:, perturbations:],
        "mplp": model.score(spin_glass.decoded(path.beliefs))[rest],
    }
    pairs = {name: mean_and_error(each) for name, each in values.items()}
    means = {name: mean - log_z for name, (mean, _) in pairs.items()}
    return means, {name: error for name, (_, error) in pairs.items()}, log_z


def _best(model: spin_glass.Glass) -> Float[np.ndarray, "sweeps draws"]:
    """Return the best score that max-product has seen after 1, 2, ... sweeps."""
    scores = model.score(spin_glass.decoded(spin_glass.max_product(model, "neutral", MOST_SWEEPS)))
    return np.maximum.accumulate(scores)[1:]


def state(size: int, reach: float, perturbations: int, sweeps: int, seed: int) -> State:
    """Look up or compute the curves."""
    means, errors, log_z = _curves(size, reach, perturbations, seed)
    return State(means, errors, sweeps, log_z, perturbations)
