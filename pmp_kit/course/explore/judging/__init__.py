"""Sample judge: four sets of images, and a measure whose kernel decides which of them can be told from real zeros."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ...experiments import judging as sets
from ..picture import Explorer
from . import compute
from .compute import State


class SampleJudge(Explorer):
    """Sample judge: the squared maximum mean discrepancy (MMD^2) of four sets of images from real zeros.

    Args:
        kernel_scale, samples, reference, seed: the first values of the controls.
    """

    title = "Sample judge"
    caption = (
        "Each row is a set of images: six of them, and the distance of the set from real zeros by MMD². The unit is "
        "the standard deviation that a perfect sampler has. In 95 % of all cases a perfect sampler is in the grey "
        "band. Point at anything to read its numbers."
    )
    telling = ("seed", "samples")

    def __init__(self, kernel_scale=20.0, samples=200, reference="held out", seed=0):
        sets.drawn()  # now, so that no control has to wait for a compiler
        super().__init__(locals())

    def make_controls(self):
        return {
            "measure": {
                "kernel scale": widgets.SelectionSlider(options=sets.SCALES),
                "reference": widgets.Dropdown(options=sets.REFERENCES),
            },
            "sets": {
                "samples": widgets.SelectionSlider(options=sets.NUMBERS),
                "seed": widgets.IntSlider(min=0, max=20),
            },
        }

    def compute(self, params) -> State:
        return compute.state(params["kernel scale"], params["samples"], params["reference"], params["seed"])

    def frame(self, state: State) -> dict[str, Any]:
        return state._asdict() | {"names": sets.NAMES, "pairs": compute.pairs()}

    def says(self, state: State) -> str:
        far = ", ".join(f"{name} {state.of(name):.1f}" for name in sets.NAMES)
        fewer = f" · there are only {state.real} other real zeros" if state.real < state.number else ""
        unit = f"standard deviations from zeros ({state.name})"
        return f"kernel scale {state.scale:g} · {unit}: {far}{fewer} · seed {state.seed}"
