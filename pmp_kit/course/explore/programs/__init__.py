"""Relaxation scope: the same noise, four solvers side by side (Section 5.2)."""

from __future__ import annotations

from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np

from ..picture import Explorer
from . import compute
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
        "Each row is one draw of the noise, each cell a spin: filled +1, empty −1, <b>grey one half</b>. A red tick "
        "marks a spin that differs from the exact answer: above where that is +1, below where it is −1. At the right: "
        "each score minus the best one. Bounds are to the right of the line at 0, scores that were found to the left."
    )
    telling = {"seed": [*range(11)], "sweeps": list(SWEEPS)}  # noqa: RUF012
    arguments_of: ClassVar = {"coupling range": "reach"}

    def __init__(self, size=10, reach=2.0, version="paper: last state", sweeps=200, seed=0):
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

    def frame(self, state: State) -> dict[str, Any]:
        spins = state.mplp, state.max_product, state.exact
        scores = state.lp_value, state.dual, state.mplp_score, state.max_product_score
        return {
            "answers": np.stack([state.fractions.T, *((one.T + 1) / 2 for one in spins)]),
            "scores": np.round(scores, 5) + 0.0,  # without what is left of rounding, and without -0.0
            "best": state.best,
            "halves": state.halves,
            "found": state.found,
        }

    def says(self, state: State) -> str:
        last, (mplp, max_product) = state.mplp_sweeps, state.found
        stop = f"stops after {last} sweeps" if last < MOST_SWEEPS else f"does not stop before sweep {MOST_SWEEPS}"
        means = (round(float(x.mean()), 1) + 0.0 for x in (state.dual, state.mplp_score, state.max_product_score))
        dual, decoded, sent = (f"{mean:+.1f}" for mean in means)  # + 0.0 removes the sign of -0.0
        return (
            f"LP: {state.halves:.0f} % halves · exact answers: MPLP {mplp}, max-product {max_product} of {DRAWS} · "
            f"mean, nats from the best: dual {dual}, MPLP {decoded}, max-product {sent} · MPLP {stop}"
        )
