"""Relaxation scope: the same noise, four solvers side by side (Section 5.2)."""

from __future__ import annotations

from typing import ClassVar

import ipywidgets as widgets

from ..explorer import Explorer
from . import compute, paint
from .compute import DRAWS, MOST_SWEEPS, SWEEPS, VERSIONS, State


class RelaxationScope(Explorer):
    """Relaxation scope: six draws of noise, solved by a linear program (LP), MPLP, max-product and enumeration.

    Args:
        size, reach, version, sweeps, seed: the first values of the controls; reach is the "coupling range", version is
            that of max-product. The paper starts messages at zero and takes the last decoded state. The kit starts in
            the neutral state and takes the best state of all sweeps.
    """

    title = "Relaxation scope"
    caption = (
        "Each row is one draw of the noise, each cell a spin: black up, white down, <b>grey one half</b>. A red tick "
        "marks a spin that differs from the exact answer. At the right: each score minus the best one. Bounds are to "
        "the right of the black line, scores that were found to the left."
    )
    signs = ("pixels", "half", "wrong", "exact", "PMP", "MPLP", "LP")

    width = paint.WIDTH
    telling = "coupling range"
    arguments_of: ClassVar = {"coupling range": "reach"}

    def __init__(self, size=10, reach=2.0, version="paper: last state", sweeps=200, seed=0):
        self._painter = paint.Painter(DRAWS)
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "size": widgets.IntSlider(min=4, max=12),
                "coupling range": widgets.FloatSlider(min=0.0, max=2.0, step=0.1),
            },
            "noise": {"seed": widgets.IntSlider(min=0, max=20)},
            "solver": {
                "version": widgets.Dropdown(options=list(VERSIONS)),
                "sweeps": widgets.SelectionSlider(options=SWEEPS),
            },
        }

    def compute(self, params) -> State:
        reach = round(params["coupling range"], 2)
        return compute.state(params["size"], reach, params["version"], params["sweeps"], params["seed"])

    def describe(self, state: State) -> str:
        last, (mplp, max_product) = state.mplp_sweeps, state.found
        stop = f"stops after {last} sweeps" if last < MOST_SWEEPS else f"does not stop before sweep {MOST_SWEEPS}"
        means = (round(float(x.mean()), 1) + 0.0 for x in (state.dual, state.mplp_score, state.max_product_score))
        dual, decoded, sent = (f"{mean:+.1f}" for mean in means)  # + 0.0 removes the sign of -0.0
        return (
            f"LP: {state.halves:.0f} % halves · exact answers: MPLP {mplp}, max-product {max_product} of {DRAWS} · "
            f"mean, nats from the best: dual {dual}, MPLP {decoded}, max-product {sent} · MPLP {stop}"
        )
