"""Wrong-model dial: four spins, the theta of the data and the theta that is learned, two distances (Section 5.1)."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float

from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from . import compute as four
from .paint import DIAL, WIDTH, WrongModelPainter

STARTS = ("zero", "neutral")


class DialState(NamedTuple):
    """Two readings of the learned theta: as a Gibbs distribution, and as PMP's. Distributions: 0 to 4 spins up."""

    data_theta: float
    theta: float
    """Where the dial stands."""
    data: Float[np.ndarray, " spins_up"]
    gibbs: Float[np.ndarray, " spins_up"]
    pmp: Float[np.ndarray, " spins_up"]
    kl_gibbs: float
    """KL(data || Gibbs at theta), in nats."""
    kl_pmp: float
    gibbs_curve: Float[np.ndarray, " dial"]
    """The same for every position of the dial."""
    pmp_curve: Float[np.ndarray, " dial"]
    path: Float[np.ndarray, " steps"]
    """Learned theta after 0, 1, ... steps of Adam."""
    seed: int

    @property
    def best(self) -> float:
        """The theta at which PMP comes closest to the data."""
        return float(DIAL[self.pmp_curve.argmin()])


def compute(data_theta: float, theta: float, start: str, sweeps: int, step: int, seed: int) -> DialState:
    """Look up and compare: exact for Gibbs, from the table of PMP's samples, Adam's first `step` steps."""
    shares = four.pmp_table(start, seed)[four.SWEEPS.index(sweeps)]
    data, gibbs, pmp = four.gibbs(data_theta), four.gibbs(theta), four.interpolate(shares, theta)
    curves = four.kl(data, four.gibbs(DIAL)), four.kl(data, four.interpolate(shares, DIAL))
    path = four.adam_path(data_theta, start, sweeps, seed)[: step + 1]
    here = float(four.kl(data, gibbs)), float(four.kl(data, pmp))
    return DialState(data_theta, theta, data, gibbs, pmp, *here, *curves, path, seed)


class WrongModelDial(Explorer):
    """Wrong-model dial: turn the learned theta, and see which theta makes Gibbs, and which makes PMP, match the data.

    Args:
        data_theta, learned_theta, start, sweeps, step: where the controls stand first.
        seed: of PMP's noise and of Adam's samples.
    """

    title = "Wrong-model dial"
    caption = (
        "How far the data are from a <b style='color:#b97600'>Gibbs</b> distribution with the learned theta, and how "
        "far from what <b style='color:#0072B2'>PMP</b> draws with the same theta. Each has its own best place. Below, "
        "Adam on its way down: it learns from PMP's samples."
    )

    def __init__(self, data_theta=0.5, learned_theta=0.5, start="zero", sweeps=100, step=0, seed=0):
        self._first = {"data theta": data_theta, "learned theta": learned_theta}
        self._first |= {"start": start, "sweeps": sweeps, "step": step}
        self.seed = seed
        for each in STARTS:
            four.pmp_table(each, seed)  # now, so that no control has to wait for it
        self._painter = WrongModelPainter()
        super().__init__()
        self.play("step", max=four.STEPS, step=4, interval=200)

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "data theta": widgets.FloatSlider(value=first["data theta"], min=0.1, max=0.7, step=0.01),
                "learned theta": widgets.FloatSlider(value=first["learned theta"], min=0.0, max=0.7, step=0.01),
            },
            "solver": {
                "start": widgets.Dropdown(options=STARTS, value=first["start"]),
                "sweeps": widgets.SelectionSlider(options=four.SWEEPS, value=first["sweeps"]),
            },
            "learning with Adam": {
                "step": widgets.IntSlider(value=first["step"], min=0, max=four.STEPS),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> DialState:
        return compute(*params.values(), seed=self.seed)

    def paint(self, state: DialState) -> Image:
        return self._painter.paint(state)

    def describe(self, state: DialState) -> str:
        limit = "beyond" if state.data_theta > four.BETHE_LIMIT else "within"
        adam = f" · Adam at {state.path[-1]:.3f} after {len(state.path) - 1} steps" if len(state.path) > 1 else ""
        return (
            f"KL to Gibbs {state.kl_gibbs:.3f}, to PMP {state.kl_pmp:.3f} nats · PMP closest at {state.best:.2f}{adam}"
            f" · {limit} the Bethe limit · seed {state.seed}"
        )
