"""RBM studio: RBMs that differ only in how they were trained; their samples, their digits, their score."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ...experiments.rbm.learn import METHODS
from ...experiments.rbm.samples import KEPT, NUMBER
from ..picture import Painted
from ..picture.painted import sent
from ..shared.strokes import PENS, pen
from . import compute
from .compute import ENOUGH, SHOWN, SIDE, State


class RBMStudio(Painted):
    """RBM studio: what five ways of training make of the same 8,000 digits.

    Args:
        weights, sweeps, evidence, seed: the first values of the controls.
        painted: the first painted pixels, one word for each row: 1 on, 0 off, . free; by default those of `evidence`.
    """

    title = "RBM studio"
    caption = (
        "RBMs that learned from the same handwritten digits in different ways: samples of one of them, the distance of "
        "its samples from digits that were held out, by number of <b>sweeps</b>, and the share of each digit. Paint "
        "some pixels <b>on</b> or <b>off</b> to draw 25 completions (what is painted is outlined)."
    )
    telling = ("evidence", "sweeps")
    chooser = "evidence"

    def __init__(self, weights="PMP", sweeps=100, evidence="nothing", seed=0, painted=None):
        compute.warm_up()
        super().__init__(locals())
        self.play("sweeps", interval=700)

    def given(self, chosen) -> np.ndarray:
        return pen(chosen, SIDE)

    def make_controls(self):
        return {
            "model": {
                "weights": widgets.Dropdown(options=METHODS),
                "evidence": widgets.Dropdown(options=PENS),
            },
            "noise": {"seed": widgets.IntSlider(min=0, max=KEPT // SHOWN - 1)},
            "solver": {"sweeps": widgets.SelectionSlider(options=compute.sweep_counts())},
        }

    def compute(self, params) -> State:
        return compute.state(params["weights"], self.evidence(params), params["seed"], params["sweeps"])

    def frame(self, state: State) -> dict[str, Any]:
        counts = {"judged": len(state.images) if state.painted else NUMBER[state.method], "painted": state.painted}
        images = {"evidence": sent(state.evidence), "images": state.images.astype(bool)}
        return compute.curves() | state._asdict() | images | counts

    def says(self, state: State) -> str:
        top = int(state.shares.argmax())
        most = f"{top} ({100 * state.shares[top]:.0f} %)"
        empty = "" if state.images.any((1, 2)).all() else " · an empty image is read as a digit, too"
        if state.painted:
            more = f" (you chose {state.sweeps}; more would be too slow to draw live)"
            cut = more if state.used < state.sweeps else ""
            done = f"{state.method}: {len(state.images)} completions, {state.used} sweeps{cut}"
            return f"{done} · most often read as {most}{empty}"
        there = int((state.shares >= ENOUGH).sum())
        return (
            f"{state.method} after {state.sweeps} sweeps: {there} of 10 digits make up 2 % or more, "
            f"most often {most}{empty} · seed {state.seed}"
        )
