"""RBM studio: RBMs that differ only in how they were trained; their samples, their digits, their score."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np

from ...experiments.rbm.learn import METHODS
from ...experiments.rbm.samples import KEPT
from ..painted import PaintedExplorer
from ..shared.strokes import PENS, pen
from . import compute, paint
from .compute import SHOWN, SIDE, State
from .paint import ENOUGH


class RBMStudio(PaintedExplorer):
    """RBM studio: what five ways of training make of the same 8,000 digits.

    Args:
        weights, sweeps, evidence, seed: the first values of the controls.
        painted: the first painted pixels, one word for each row: 1 on, 0 off, . free; by default those of `evidence`.
    """

    title = "RBM studio"
    caption = (
        "RBMs that learned from the same handwritten digits in different ways. Left: samples of one of them. Right: "
        "the distance of the samples from digits that were held out, by number of <b>sweeps</b>, and the share of each "
        "digit. Paint some pixels to draw 25 completions."
    )
    signs = ("pixels", "free", "painted")
    width = paint.WIDTH
    chooser = "evidence"

    def __init__(self, weights="PMP", sweeps=100, evidence="nothing", seed=0, painted=None):
        compute.warm_up()
        self._painter = paint.Painter(compute.stored())
        super().__init__(locals(), cell=13)
        self.play("sweeps", moves="index", max=len(compute.sweep_counts()) - 1, interval=700)

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
        return compute.state(params["weights"], params["pixels"], params["seed"], params["sweeps"])

    def sweeps(self, state: State) -> float:
        return float(state.used * len(state.images)) if state.painted else 0.0

    def describe(self, state: State) -> str:
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
