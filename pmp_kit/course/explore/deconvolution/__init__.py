"""Deconvolution studio: features crystallise out of noise, sweep by sweep (Section 5.6)."""

from __future__ import annotations

import ipywidgets as widgets

from ...experiments.deconvolution import traces
from ..explorer import Explorer
from ..page.player import Clip, Player
from . import compute, paint
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
        "Above: the beliefs of four features, <b style='color:#7b5ba6'>purple</b> ink and "
        "<b style='color:#c8761a'>orange</b> no ink. Below: the images that the features draw. "
        "<b style='background:#56B4E9; color:black; padding:0 3px'>Light blue</b> is ink that is missing, "
        "<b style='color:#CC0000'>red</b> is ink too much; grey images are not given as data. On the large image each "
        "feature is outlined where it is placed, in the colour of its frame. Play, or drag along the curve."
    )
    signs = ("value", "pixels", "missed", "wrong pixel", "not given", "placed", "curve")

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

    def make_picture(self) -> Player:
        return Player("four features and sixteen images drawn with them", unit="frame")

    def compute(self, params) -> State:
        return compute.state(**params)

    def paint(self, state: State) -> Clip:
        return paint.picture(state)

    def describe(self, state: State) -> str:
        names = [kind.replace("copy of", "a copy of feature") for kind in state.kinds[-1]]
        extras = [f"feature {k + 1} is {name}" for k, name in enumerate(names) if name != "true shape"]
        return (
            f"after {traces.SWEEPS} sweeps: {100 * state.right[-1]:.1f} % of the pixels right · {state.recovered} of 3 "
            f"shapes found · {' · '.join([*extras, ''])}{state.locations} locations on · seed {state.seed}"
        )

    def snapshot(self) -> bytes:
        return paint.snapshot(self.picture.clip)
