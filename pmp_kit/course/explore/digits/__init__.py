"""Sixty-second PMP: paint a part of a digit, and 25 completions appear."""

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
from .paint import COMPLETIONS, WIDTH, SheetPainter

DIGITS = 100  # of the 1,797 to choose from


class CompletionState(NamedTuple):
    """What PMP made of the evidence."""

    evidence: Int[np.ndarray, "8 8"]
    """0, 1, or FREE."""
    truth: Int[np.ndarray, "8 8"]
    """The digit that the evidence came from."""
    completions: Int[np.ndarray, "25 8 8"]
    sweeps: Int[np.ndarray, " 25"]
    """Sweeps used: fewer than allowed where the messages stood still before."""
    allowed: int
    seed: int

    @property
    def share(self) -> Float[np.ndarray, "8 8"]:
        """Share of the completions in which a pixel is on."""
        return self.completions.mean(0)

    @property
    def distinct(self) -> int:
        """Number of different completions."""
        return len(np.unique(self.completions.reshape(COMPLETIONS, -1), axis=0))


def compute(
    model: pk.RBM | pk.FactorGraph, evidence: np.ndarray, sweeps: int, damping: float, perturbation: bool, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Completions (25, 8, 8) of the evidence, and the sweeps that each used (25,)."""
    noise = pk.Gumbel(1.0 if perturbation else 0.0)
    samples = pk.sample(
        jax.random.key(seed),
        model,
        pk.PMP(damping=damping, keep_best=False, tolerance=1e-2, noise=noise),
        num_samples=COMPLETIONS,
        num_sweeps=sweeps,
        evidence={"v": evidence},
        chunk=1,  # fits the cache, and each stops when its own messages stand still
    )
    return samples["v"], samples.sweeps


def upper_half(digit: np.ndarray) -> np.ndarray:
    """Evidence: the upper half of a digit, the lower half free."""
    return np.where(np.arange(len(digit))[:, None] < len(digit) // 2, digit, pk.FREE)


class SixtySecondPMP(PaintedExplorer):
    """Sixty-second PMP: real handwritten digits, completed by a trained RBM.

    Args:
        model: an RBM with visible pixels (8, 8).
        digits: real digits to start from, (many, 8, 8) of 0 and 1.
        digit, sweeps, damping, seed: where the controls stand first.
    """

    title = "Sixty-second PMP"
    caption = (
        "Paint pixels <b>on</b>, <b>off</b> or <b>free</b>: the model keeps what you painted (outlined) and fills in "
        "what is free (striped). Each of the 25 completions is one perturbed problem, solved by max-product."
    )

    chooser = "digit"

    def __init__(self, model: pk.RBM, digits: np.ndarray, digit=3, sweeps=50, damping=0.5, seed=0):
        self._graph, self._digits = model.graph(), np.asarray(digits)[:DIGITS]  # built once: it never changes
        self._first = {"digit": digit, "sweeps": sweeps, "damping": damping, "seed": seed}
        self._sheet = SheetPainter()
        super().__init__(digit)

    def given(self, chosen) -> np.ndarray:
        return upper_half(self._digits[chosen])

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first, last = self._first, len(self._digits) - 1
        return {
            "model": {"digit": widgets.IntSlider(value=first["digit"], min=0, max=last)},
            "noise": {
                "perturbation": widgets.Checkbox(value=True, indent=True),
                "seed": widgets.IntSlider(value=first["seed"], min=0, max=50),
            },
            "solver": {
                "damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05),
                "sweeps": widgets.IntSlider(value=first["sweeps"], min=0, max=100),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> CompletionState:
        params = dict(params)
        truth, evidence = self._digits[params.pop("digit")], params["evidence"]
        completions, sweeps = compute(self._graph, **params)
        return CompletionState(evidence, truth, completions, sweeps, params["sweeps"], params["seed"])

    def paint(self, state: CompletionState) -> Image:
        return self._sheet.paint(state)

    def sweeps(self, state: CompletionState) -> float:
        return float(state.sweeps.sum())

    def describe(self, state: CompletionState) -> str:
        settled = int((state.sweeps < state.allowed).sum())
        free = int((state.evidence == pk.FREE).sum())
        return (
            f"{free} of 64 pixels free · {state.distinct} different completions · "
            f"{settled} of {COMPLETIONS} settled within {state.allowed} sweeps · seed {state.seed}"
        )

    def more_to_paint(self):
        return [self._digits[0]]

    def snapshot(self) -> bytes:
        """The evidence beside the completions."""
        return self._sheet.with_evidence(self.state)
