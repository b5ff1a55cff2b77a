"""Noise ribbon: perturb the perturbation a little, and the samples drift instead of jumping (Appendix A)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ....engine import checks
from ..picture import Explorer
from . import compute
from .compute import State


class NoiseRibbon(Explorer):
    """Noise ribbon: sixty steps of one chain of persistent PMP, on a lattice of 8 x 8 spins that like to agree.

    Args:
        rho, start, sweeps: the first values of the controls.
        step: the step that is shown at first.
        seed: of the noise.
    """

    title = "Noise ribbon"
    caption = (
        "Each column is one sample of 64 spins, for one step of learning. With rho = 0 and a fresh start, neighbouring "
        "columns are independent; with rho near 1 they are almost equal. <b>Red</b>: spins that "
        "have another state after 60 sweeps with the same choice of <i>start</i>. Play, or drag along the columns. "
        "Point at anything to read its numbers."
    )
    more = ("step", "seed")
    telling = ("rho", "start")

    def __init__(self, rho=0.0, start="fresh", sweeps=2, step=0, seed=0):
        if checks.count("step", step, minimum=0) > compute.STEPS:
            raise ValueError(f"step: expected from 0 to {compute.STEPS}, got {step!r}")
        compute.table(checks.count("seed", seed, minimum=0))  # now, so that no control has to wait for it
        super().__init__(locals())

    def make_controls(self):
        return {
            "noise": {"rho": widgets.SelectionSlider(options=compute.RHOS)},
            "solver": {
                "start": widgets.Dropdown(options=compute.STARTS),
                "sweeps": widgets.SelectionSlider(options=compute.SWEEPS),
            },
        }

    def compute(self, params) -> State:
        return compute.state(**params)

    def frame(self, state: State) -> dict[str, Any]:
        return state.chain._asdict() | {"sweeps": state.sweeps, "most": compute.MANY, "step": state.step}

    def says(self, state: State) -> str:
        chain, correlation = state.chain, state.rho**0.5
        return (
            f"{100 * chain.changed:.1f} % of the spins change in a step · correlation of u {correlation:.2f} · "
            f"{state.sweeps} sweeps from a {state.start} start: {100 * chain.early:.1f} % have another state after "
            f"{compute.MANY} sweeps · seed {state.seed}"
        )
