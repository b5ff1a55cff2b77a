"""Bound meter: log Z between a lower bound from max-product and an upper bound from MPLP's dual value."""

from __future__ import annotations

from typing import ClassVar

import ipywidgets as widgets

from ..explorer import Explorer
from . import compute, paint
from .compute import MOST_SWEEPS, PERTURBATIONS, SWEEPS, State


class BoundMeter(Explorer):
    """Bound meter: upper and lower bounds of log Z, sweep by sweep.

    Args:
        size, reach, perturbations, sweeps, seed: the first values of the controls; reach is the "coupling range".
    """

    title = "Bound meter"
    caption = (
        "The black line is the exact log Z. The <b>grey band</b> reaches from the score of "
        "<b style='color:#0072B2'>max-product</b>, with the noise divided by the number of spins, to the dual value of "
        "MPLP. Both ends are means over the perturbations, and the band is two standard errors wider at each end. With "
        "few perturbations log Z can still be outside. Thin bars with ends are two standard errors."
    )
    signs = ("exact", "bounds", "error", "cursor")

    width = paint.WIDTH
    telling = "sweeps"
    arguments_of: ClassVar = {"coupling range": "reach"}

    def __init__(self, size=8, reach=2.0, perturbations=100, sweeps=100, seed=0):
        self._painter = paint.Painter(MOST_SWEEPS)
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

    def describe(self, state: State) -> str:
        bounds = (state.at(name) for name in ("lower", "dual"))
        low, high = (f"{state.log_z + value:.2f} ± {2 * error:.2f}" for value, error in bounds)
        primal, error = state.at("primal")
        return (
            f"log Z = {state.log_z:.2f}, lower bound {low}, upper bound {high} · PMP's estimate is off by "
            f"{primal:+.2f} ± {2 * error:.2f} nats · {state.perturbations} perturbations, {state.sweeps} sweeps"
        )
