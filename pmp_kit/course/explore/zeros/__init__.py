"""Zeros brush: paint a piece of an outline, and the model of zeros says where the rest must be (Section 5.3)."""

from __future__ import annotations

from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np

import pmp_kit as pk

from ....engine import checks
from ..picture import Painted
from ..picture.painted import sent
from ..shared.different import different
from ..shared.strokes import LINES, line
from . import compute
from .compute import State


class ZerosBrush(Painted):
    """Zeros brush: the posterior of a trained Ising model follows what is painted.

    Args:
        model: a `pk.Ising` whose block "x" is an image; by default the trained weights of the course.
        stroke, perturbation, sweeps, damping, seed: the first values of the controls.
        painted: the first pixels, one word for each row: 1 on, 0 off, . free; by default those of the stroke.
    """

    title = "Zeros brush"
    caption = (
        "A zero has two outlines. Choose a first <b>stroke</b>, or paint pixels <b>on</b>, <b>off</b> or <b>free</b>. "
        "The model keeps what is painted (outlined), and each of the 12 completions is a sample of the free pixels."
    )
    telling: ClassVar = {"stroke": list(LINES), "sweeps": [*range(0, 21), 30, 40, 50]}
    chooser = "stroke"

    def __init__(
        self, model: pk.Ising | None = None, stroke="wide", perturbation=True, sweeps=10, damping=0.5, seed=0,
        painted=None,
    ):  # fmt: skip
        first = locals()
        if model is None:
            from ...experiments.zeros import trained

            model = trained.load("small", "PMP")
        checks.instance("model", model, pk.Ising, "pk.Ising(weight, bias, (height, width))")
        if len(model.shape) != 2:
            raise ValueError(f"model: expected one whose spins have shape (height, width), got {model.shape}")
        self._graph = model.graph()  # built once: it never changes
        self._shape: tuple[int, int] = (model.shape[0], model.shape[1])
        super().__init__(first)

    def given(self, chosen) -> np.ndarray:
        return line(chosen, self._shape)

    def make_controls(self):
        return {
            "evidence": {"stroke": widgets.Dropdown(options=list(LINES))},
            "noise": {
                "perturbation": widgets.Checkbox(indent=True),
                "seed": widgets.IntSlider(min=0, max=50),
            },
            "solver": {
                "damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05),
                "sweeps": widgets.IntSlider(min=0, max=50),
            },
        }

    def compute(self, params) -> State:
        settings = {name: params[name] for name in ("perturbation", "damping", "sweeps", "seed")}
        return compute.state(self._graph, self.evidence(params), **settings)

    def frame(self, state: State) -> dict[str, Any]:
        return {"evidence": sent(state.evidence), "completions": state.completions.astype(bool)}

    def says(self, state: State) -> str:
        ink = state.completions.sum((1, 2))
        inked = f"{ink.min()} to {ink.max()}" if ink.min() < ink.max() else str(ink[0])
        return (
            f"{int((state.evidence != pk.FREE).sum())} of {state.evidence.size} pixels painted · "
            f"different completions: {different(state.completions)}, with {inked} pixels of ink · "
            f"seed {state.seed}"
        )
