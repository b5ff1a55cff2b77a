"""Zeros brush: paint a piece of an outline, and the model of zeros says where the rest must be (Section 5.3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets
import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ...plot.pixels import Image
from ..page.still import Still
from ..painted import PaintedExplorer
from ..strokes import LINES, line
from .paint import COMPLETIONS, WIDTH, BrushPainter


class BrushState(NamedTuple):
    """What the model makes of the strokes."""

    evidence: Int[np.ndarray, "h w"]
    """0, 1, or FREE."""
    completions: Int[np.ndarray, "completions h w"]
    sweeps: int
    seed: int

    @property
    def share(self) -> Float[np.ndarray, "h w"]:
        """Share of the completions in which a pixel is on."""
        return self.completions.mean(0)


class ZerosBrush(PaintedExplorer):
    """Zeros brush: the posterior of a trained Ising model follows what is painted.

    Args:
        model: a `pk.Ising` whose block "x" is an image; the weights that come with the kit by default.
        stroke, sweeps, damping, seed: where the controls stand first.
    """

    title = "Zeros brush"
    caption = (
        "A zero has two outlines. Choose a first <b>stroke</b>, or paint: <b>on</b>, <b>off</b> or <b>free</b>. "
        "The model keeps what is painted (outlined) and expects ink where it is bright."
    )

    chooser = "stroke"

    def __init__(self, model: pk.Ising | None = None, stroke="wide", sweeps=10, damping=0.5, seed=0):
        if model is None:
            from pmp_kit.course.experiments.zeros import trained as trained_zeros

            model = trained_zeros.largest("PMP")
        self._graph = model.graph()  # built once: it never changes
        self._shape: tuple[int, int] = (model.shape[0], model.shape[1])
        self._first = {"stroke": stroke, "sweeps": sweeps, "damping": damping, "seed": seed}
        self._picture = BrushPainter()
        super().__init__(stroke, cell=300 // max(self._shape))

    def given(self, chosen) -> np.ndarray:
        return line(chosen, self._shape)

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "evidence": {"stroke": widgets.Dropdown(options=list(LINES), value=first["stroke"])},
            "noise": {
                "perturbation": widgets.Checkbox(value=True, indent=True),
                "seed": widgets.IntSlider(value=first["seed"], min=0, max=50),
            },
            "solver": {
                "damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05),
                "sweeps": widgets.IntSlider(value=first["sweeps"], min=0, max=50),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> BrushState:
        samples = pk.sample(
            jax.random.key(params["seed"]),
            self._graph,
            pk.PMP(
                damping=params["damping"],
                keep_best=False,
                tolerance=0.0,
                noise=pk.Gumbel(1.0 if params["perturbation"] else 0.0),
            ),
            num_samples=COMPLETIONS,
            num_sweeps=params["sweeps"],
            evidence={"x": params["evidence"]},
        )
        return BrushState(params["evidence"], samples["x"], params["sweeps"], params["seed"])

    def paint(self, state: BrushState) -> Image:
        return self._picture.paint(state)

    def sweeps(self, state: BrushState) -> float:
        return float(state.sweeps * COMPLETIONS)

    def describe(self, state: BrushState) -> str:
        ink = state.completions.sum((1, 2))
        distinct = len(np.unique(state.completions.reshape(COMPLETIONS, -1), axis=0))
        return (
            f"{int((state.evidence != pk.FREE).sum())} of {state.evidence.size} pixels painted · {distinct} different "
            f"completions with {ink.min()} to {ink.max()} pixels of ink · seed {state.seed}"
        )
