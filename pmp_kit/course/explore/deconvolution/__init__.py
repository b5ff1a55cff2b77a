"""Deconvolution studio: features crystallise out of noise, sweep by sweep (Section 5.6)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ...experiments.deconvolution import traces
from ..picture import Explorer
from . import compute
from .compute import State

STOPS = tuple(range(0, traces.SWEEPS + 1, 20))


class DeconvolutionStudio(Explorer):
    """Deconvolution studio: scrub through the sweeps of PMP on a small blind deconvolution.

    Args:
        images, prior, observed, seed: the first values of the controls.
        sweeps: the sweep that is shown first.
    """

    title = "Deconvolution studio"
    caption = (
        "Above: the beliefs of four features. Below: the sixteen images that the features draw. On the large image each "
        "feature is outlined where it is placed, in the colour of its frame. Play, or drag along the curve."
    )
    telling = ("observed", "seed")

    def __init__(self, images=16, prior="0.01", observed="X only", seed=40, sweeps=traces.SWEEPS):
        compute.tables()  # loaded now, so that no control has to wait for it
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "images": widgets.SelectionSlider(options=traces.IMAGES),
                "prior": widgets.Dropdown(options=traces.PRIORS),
                "observed": widgets.Dropdown(options=traces.OBSERVED),
            },
            "solver": {
                "sweeps": widgets.SelectionSlider(options=STOPS),
            },
            "noise": {
                "seed": widgets.SelectionSlider(options=traces.SEEDS),
            },
        }

    def compute(self, params) -> State:
        return compute.state(**params)

    def frame(self, state: State) -> dict[str, Any]:
        return state._asdict() | {"beliefs": traces.LIMIT * state.beliefs, "limit": traces.LIMIT}

    def says(self, state: State) -> str:
        names = [kind.replace("copy of", "a copy of feature") for kind in state.kinds[-1]]
        extras = [f"feature {k + 1} is {name}" for k, name in enumerate(names) if name != "true shape"]
        return (
            f"after {traces.SWEEPS} sweeps: {100 * state.right[-1]:.1f} % of the pixels right · {state.recovered} of 3 "
            f"shapes found · {' · '.join([*extras, ''])}{state.locations} locations on · seed {state.seed}"
        )
