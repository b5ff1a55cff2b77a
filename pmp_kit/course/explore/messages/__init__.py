"""Message scope: watch the messages of max-product settle, or not, on a small graph whose answer is known."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ..comparing import ComparingExplorer
from ..page.player import Clip, Player
from . import compute as scope_run
from . import paint as scope_painter
from .compute import SWEEPS, ScopeState
from .graphs import TOPOLOGIES


class MessageScope(ComparingExplorer):
    """Message scope: scrub and play the messages of max-product on a chain, a tree, a triangle, a cycle or a grid.

    Args:
        topology, coupling, perturbation, damping, start: where the controls stand first.
        seed: of the noise; `perturbation` only scales it.
    """

    title = "Message scope"
    caption = (
        "Arrows are messages, disks are beliefs: <b style='color:#7b5ba6'>purple</b> pushes to 1, "
        "<b style='color:#c8761a'>orange</b> to 0, white not at all. The dot is the decoded state (black 1, white 0), "
        "the ring the exact answer. Play, or drag along the curve."
    )

    def __init__(self, topology="triangle", coupling=-1.0, perturbation=1.0, damping=0.5, start="neutral", seed=1):
        self._first = {"topology": topology, "coupling": coupling, "perturbation": perturbation}
        self._first |= {"damping": damping, "start": start}
        self.seed = seed
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "topology": widgets.Dropdown(options=list(TOPOLOGIES), value=first["topology"]),
                "coupling": widgets.FloatSlider(value=first["coupling"], min=-1.5, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.FloatSlider(value=first["perturbation"], min=0.0, max=2.0, step=0.05),
            },
            "solver": {
                "damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05),
                "start": widgets.Dropdown(options=["neutral", "zero"], value=first["start"]),
            },
        }

    def make_picture(self) -> Player:
        return Player("messages of max-product on a graph")

    def compute(self, params) -> ScopeState:
        return scope_run.state(**params, seed=self.seed)

    def paint(self, state: ScopeState) -> Clip:
        return scope_painter.picture(state)

    def sweeps(self, state: ScopeState) -> float:
        return SWEEPS

    def describe(self, state: ScopeState) -> str:
        if state.sweeps is not None:
            outcome = f"converged after {state.sweeps} sweeps"
        elif state.period is not None:
            outcome = f"oscillating with period {state.period}"
        else:
            outcome = f"not converged in {SWEEPS} sweeps (residual {state.residuals[-1]:.2g} nats)"
        gap = float(state.gaps[-1])
        answer = "decodes the exact MAP" if gap < 1e-4 else f"decoded states {gap:.2f} nats below the exact MAP"
        return f"{outcome} · {answer} · seed {state.seed}"

    def snapshot(self) -> bytes:
        return scope_painter.snapshot(scope_painter.picture(self.state))
