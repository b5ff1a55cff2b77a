"""Bound meter: log Z between a lower bound from max-product and an upper bound from MPLP's dual value."""

from __future__ import annotations

from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np

from ..picture import Explorer
from . import compute
from .compute import PERTURBATIONS, SWEEPS, State


class BoundMeter(Explorer):
    """Bound meter: upper and lower bounds of log Z, sweep by sweep.

    Args:
        size, reach, perturbations, sweeps, seed: the first values of the controls; reach is the "coupling range".
    """

    title = "Bound meter"
    caption = (
        "The solid line is the exact log Z. The <b>grey band</b> reaches from the score of max-product, with the "
        "noise divided by the number of spins, to the dual value of MPLP. Both ends are means over the perturbations, "
        "and the band is two standard errors wider at each end. With few perturbations log Z can still be outside. The "
        "bars at the chosen number of sweeps are two standard errors, too."
    )
    telling: ClassVar = {"coupling range": [0.0, 0.2, 0.3, 0.5, 0.8, 1.1, 1.4, 1.7, 2.0], "sweeps": list(SWEEPS)}
    arguments_of: ClassVar = {"coupling range": "reach"}

    def __init__(self, size=8, reach=2.0, perturbations=100, sweeps=100, seed=0):
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "size": widgets.IntSlider(min=4, max=10),
                "coupling range": widgets.FloatSlider(min=0.0, max=2.0, step=0.1),
            },
            "noise": {
                "perturbations": widgets.SelectionSlider(options=PERTURBATIONS),
                "seed": widgets.IntSlider(min=0, max=20),
            },
            "solver": {"sweeps": widgets.SelectionSlider(options=SWEEPS)},
        }

    def compute(self, params) -> State:
        values = params["perturbations"], params["sweeps"], params["seed"]
        return compute.state(params["size"], round(params["coupling range"], 2), *values)

    def frame(self, state: State) -> dict[str, Any]:
        tables = {name: np.array(list(getattr(state, name).values())) for name in ("means", "errors")}
        return state._asdict() | tables | {"names": list(state.means)}

    def says(self, state: State) -> str:
        bounds = (state.at(name) for name in ("lower", "dual"))
        low, high = (f"{state.log_z + value:.2f} ± {2 * error:.2f}" for value, error in bounds)
        primal, error = state.at("primal")
        return (
            f"log Z = {state.log_z:.2f}, lower bound {low}, upper bound {high} · PMP's estimate is off by "
            f"{primal:+.2f} ± {2 * error:.2f} nats · {state.perturbations} perturbations, {state.sweeps} sweeps"
        )
