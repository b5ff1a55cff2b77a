"""Sixty-second PMP: paint a part of a digit, and 25 completions appear."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

import pmp_kit as pk

from ..painted import PaintedExplorer
from . import compute, paint
from .compute import State

DIGITS = 100  # of the 1,797 to choose from


class SixtySecondPMP(PaintedExplorer):
    """Sixty-second PMP: real handwritten digits, completed by a trained RBM.

    Args:
        model: an RBM with visible pixels (8, 8).
        digits: real digits to start from, (many, 8, 8) of 0 and 1.
        digit, sweeps, damping, seed: the first values of the controls.
    """

    title = "Sixty-second PMP"
    caption = (
        "Paint pixels <b>on</b>, <b>off</b> or <b>free</b>: the model keeps what you painted (outlined) and fills in "
        "what is free (striped). Each of the 25 completions is one perturbed problem, solved by max-product."
    )
    signs = ("pixels", "free", "painted", "probability")
    width = paint.WIDTH
    chooser = "digit"

    def __init__(self, model: pk.RBM, digits: np.ndarray, digit=3, sweeps=50, damping=0.5, seed=0):
        self._graph, self._digits = model.graph(), np.asarray(digits)[:DIGITS]  # built once: it never changes
        self._painter = paint.Painter()
        super().__init__(locals())

    def given(self, chosen) -> np.ndarray:
        return compute.upper_half(self._digits[chosen])

    def make_controls(self) -> dict[str, dict[str, Any]]:
        return {
            "model": {"digit": widgets.IntSlider(min=0, max=len(self._digits) - 1)},
            "noise": {
                "perturbation": widgets.Checkbox(value=True, indent=True),
                "seed": widgets.IntSlider(min=0, max=50),
            },
            "solver": {
                "damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05),
                "sweeps": widgets.IntSlider(min=0, max=100),
            },
        }

    def compute(self, params) -> State:
        asked = dict(params)
        return compute.state(self._graph, self._digits[asked.pop("digit")], **asked)

    def sweeps(self, state: State) -> float:
        return float(state.sweeps.sum())

    def describe(self, state: State) -> str:
        settled = int((state.sweeps < state.allowed).sum())
        free = int((state.evidence == pk.FREE).sum())
        return (
            f"{free} of 64 pixels free · {state.distinct} different completions · "
            f"{settled} of {compute.COMPLETIONS} settled within {state.allowed} sweeps · seed {state.seed}"
        )

    def more_to_paint(self):
        return [self._digits[0]]

    def snapshot(self) -> bytes:
        """Return the evidence beside the completions."""
        return self._painter.with_evidence(self.state)
