"""Bound meter: log Z between a lower bound that max-product certifies and an upper one that MPLP's dual certifies."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float

from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from ..shared import spin_glass
from .paint import WIDTH, BoundPainter

MOST_SWEEPS = 100
SWEEPS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100)
PERTURBATIONS = (10, 20, 40)
CURVES = ("dual", "exact", "primal", "lower", "mplp")


class MeterState(NamedTuple):
    """Means over the perturbations less log Z, and their standard errors, after 1, 2, ... sweeps, in nats."""

    means: dict[str, Float[np.ndarray, " sweeps"]]
    """By the name of a curve: "dual", MPLP's bound of E max; "exact", E max itself; "primal", the best that
    max-product found; "lower", the same with the noise divided by n; "mplp", the last that MPLP found."""
    errors: dict[str, Float[np.ndarray, " sweeps"]]
    sweeps: int
    log_z: float
    perturbations: int

    def at(self, name: str) -> tuple[float, float]:
        """Mean and standard error of a curve after the chosen number of sweeps."""
        return float(self.means[name][self.sweeps - 1]), float(self.errors[name][self.sweeps - 1])


@functools.lru_cache(maxsize=32)
def _curves(size: int, reach: float, perturbations: int, seed: int) -> tuple[dict, dict, float]:
    """All curves over all sweeps: means, standard errors, log Z."""
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
    errors = {name: each.std(1, ddof=1) / np.sqrt(perturbations) for name, each in values.items()}
    return {name: each.mean(1) - log_z for name, each in values.items()}, errors, log_z


def _best(model: spin_glass.Glass) -> Float[np.ndarray, "sweeps draws"]:
    """The best score that the kit's max-product has seen after 1, 2, ... sweeps."""
    scores = model.score(spin_glass.decoded(spin_glass.max_product(model, "neutral", MOST_SWEEPS)))
    return np.maximum.accumulate(scores)[1:]


def compute(size: int, reach: float, perturbations: int, sweeps: int, seed: int) -> MeterState:
    """The curves, and where the cursor stands."""
    means, errors, log_z = _curves(size, reach, perturbations, seed)
    return MeterState(means, errors, sweeps, log_z, perturbations)


class BoundMeter(Explorer):
    """Bound meter: upper and lower bounds of log Z, sweep by sweep.

    Args:
        size, reach, perturbations, sweeps, seed: where the controls stand first; reach is the "coupling range".
    """

    title = "Bound meter"
    caption = (
        "The line at 0 is the true log Z. The <b>grey band</b> is certified: its upper edge is MPLP's dual value, its "
        "lower edge what <b style='color:#0072B2'>max-product</b> found with the noise divided by the number of spins. "
        "More sweeps only make it narrower."
    )

    def __init__(self, size=8, reach=2.0, perturbations=40, sweeps=100, seed=0):
        self._first = size, reach, perturbations, sweeps, seed
        self._painter = BoundPainter(MOST_SWEEPS)
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        size, reach, perturbations, sweeps, seed = self._first
        return {
            "model": {
                "size": widgets.IntSlider(value=size, min=4, max=10),
                "coupling range": widgets.FloatSlider(value=reach, min=0.0, max=2.0, step=0.1),
            },
            "noise": {
                "perturbations": widgets.SelectionSlider(options=PERTURBATIONS, value=perturbations),
                "seed": widgets.IntSlider(value=seed, min=0, max=20),
            },
            "solver": {"sweeps": widgets.SelectionSlider(options=SWEEPS, value=sweeps)},
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> MeterState:
        values = params["perturbations"], params["sweeps"], params["seed"]
        return compute(params["size"], round(params["coupling range"], 2), *values)

    def paint(self, state: MeterState) -> Image:
        return self._painter.paint(state)

    def describe(self, state: MeterState) -> str:
        (low, _), (high, _), (primal, error) = (state.at(name) for name in ("lower", "dual", "primal"))
        return (
            f"log Z = {state.log_z:.2f}, certified between {state.log_z + low:.2f} and {state.log_z + high:.2f} · "
            f"PMP's estimate is off by {primal:+.2f} ± {error:.2f} nats · {state.perturbations} perturbations, "
            f"{state.sweeps} sweeps"
        )
