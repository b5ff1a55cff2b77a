"""Noise ribbon: perturb the perturbation a little, and the samples drift instead of jumping (Appendix A)."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets

from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from . import compute as drift
from .paint import WIDTH, NoiseRibbonPainter


class RibbonState(NamedTuple):
    """A chain, and where in it the reader looks."""

    rho: float
    start: str
    sweeps: int
    step: int
    chain: drift.Drift


class NoiseRibbon(Explorer):
    """Noise ribbon: sixty steps of one chain of persistent PMP, on a lattice of 8 x 8 spins that like to agree.

    Args:
        rho, start, sweeps, step: where the controls stand first.
        seed: of the noise.
    """

    title = "Noise ribbon"
    caption = (
        "Each column is a sample of 64 spins, the next column that of the next step of learning. With rho = 0 every "
        "column is news; towards rho = 1 black and white drift. <b style='color:#D55E00'>Red</b>: spins that "
        "max-product has not got right yet, for want of sweeps."
    )

    def __init__(self, rho=0.0, start="fresh", sweeps=2, step=0, seed=0):
        self._first = {"rho": rho, "start": start, "sweeps": sweeps, "step": step}
        self._table, self.seed = drift.table(seed), seed
        self._painter = NoiseRibbonPainter()
        super().__init__()
        self.play("step", max=drift.STEPS, step=1, interval=170)

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "noise": {"rho": widgets.SelectionSlider(options=drift.RHOS, value=first["rho"])},
            "solver": {
                "start": widgets.Dropdown(options=drift.STARTS, value=first["start"]),
                "sweeps": widgets.SelectionSlider(options=drift.SWEEPS, value=first["sweeps"]),
            },
            "time": {"step": widgets.IntSlider(value=first["step"], min=0, max=drift.STEPS)},
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> RibbonState:
        chosen = params["rho"], params["start"], params["sweeps"]
        return RibbonState(*chosen, params["step"], self._table[chosen])

    def paint(self, state: RibbonState) -> Image:
        return self._painter.paint(state)

    def describe(self, state: RibbonState) -> str:
        return (
            f"{state.chain.changed:.0%} of the spins change in a step · {state.chain.missed:.1%} not found by "
            f"{state.sweeps} sweeps from a {state.start} start · seed {self.seed}"
        )
