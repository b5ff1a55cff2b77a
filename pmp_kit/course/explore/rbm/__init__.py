"""RBM studio: RBMs that differ only in how they were trained; their samples, their digits, their score."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from pmp_kit.course.experiments.rbm.learn import METHODS

from ...plot.pixels import Image
from ..page.still import Still
from ..painted import PaintedExplorer
from ..strokes import PENS, pen
from .compute import SIDE, Sampler, StudioState
from .paint import ENOUGH, WIDTH, StudioPainter


class RBMStudio(PaintedExplorer):
    """RBM studio: what five ways of training make of the same 8,000 digits.

    Args:
        weights, sweeps, evidence, seed: where the controls stand first.
    """

    title = "RBM studio"
    caption = (
        "RBMs learned from the same handwritten digits, in different ways. Left: what each draws after so many "
        "<b>sweeps</b>. Right: how far that is from digits that were kept out, and which digits it is. Paint some "
        "pixels, and 25 completions are drawn live."
    )

    chooser = "evidence"

    def __init__(self, weights="PMP", sweeps=100, evidence="nothing", seed=0):
        self._first = {"weights": weights, "sweeps": sweeps, "evidence": evidence, "seed": seed}
        self._sampler = Sampler()
        self._sheet = StudioPainter(self._sampler.stored)
        super().__init__(evidence, cell=16)
        self.play("sweeps", moves="index", max=len(self._sampler.sweeps) - 1, interval=700)

    def given(self, chosen) -> np.ndarray:
        return pen(chosen, SIDE)

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first, drawn = self._first, self._sampler
        return {
            "model": {
                "weights": widgets.Dropdown(options=METHODS, value=first["weights"]),
                "evidence": widgets.Dropdown(options=PENS, value=first["evidence"]),
            },
            "noise": {"seed": widgets.IntSlider(value=first["seed"], min=0, max=drawn.seeds - 1)},
            "solver": {"sweeps": widgets.SelectionSlider(options=drawn.sweeps, value=first["sweeps"])},
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> StudioState:
        return self._sampler(*(params[name] for name in ("weights", "evidence", "seed", "sweeps")))

    def paint(self, state: StudioState) -> Image:
        return self._sheet.paint(state)

    def sweeps(self, state: StudioState) -> float:
        return float(state.used * len(state.images)) if state.painted else 0.0

    def describe(self, state: StudioState) -> str:
        top = int(state.shares.argmax())
        if state.painted:
            cut = f" (of {state.sweeps} asked: more would not be live)" if state.used < state.sweeps else ""
            return f"{state.method}: {len(state.images)} completions, {state.used} sweeps{cut} · mostly read as {top}"
        there = int((state.shares >= ENOUGH).sum())
        return (
            f"{state.method} after {state.sweeps} sweeps: {there} of 10 digits make up 2 % or more, "
            f"most often {top} ({state.shares[top]:.0%}) · seed {state.seed}"
        )
