"""Message scope: the messages of max-product, sweep by sweep, on a small graph whose exact answer is known."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ...plot import graph
from ..comparing import ComparingExplorer
from ..page.player import Clip, Player
from ..shared.limits import EXACT_GAP
from . import compute, paint
from .compute import SWEEPS, State
from .topologies import TOPOLOGIES


class MessageScope(ComparingExplorer):
    """Message scope: scrub and play the messages of max-product on one of six small graphs.

    Args:
        topology, coupling, perturbation, damping, start: the first values of the controls.
        seed: of the noise; `perturbation` only scales it.
        layers: what the picture shows at first, of "states", "noise", "beliefs", "messages" and "truth".
    """

    title = "Message scope"
    caption = (
        "Each ring is the noise on one variable: <b style='color:#7b5ba6'>purple</b> pushes it to 1, "
        "<b style='color:#c8761a'>orange</b> to 0. The small square is its decoded state, black 1 or white 0. Play, or "
        "drag along the curve; then show beliefs, messages and the truth."
    )
    signs = ("noise", "state", "belief", "message", "truth", "wrong", "edge", "curve")
    layer_names = graph.LAYERS

    def __init__(
        self, topology="triangle", coupling=-1.0, perturbation=1.0, damping=0.5, start="neutral", seed=1,
        layers=("states", "noise"),
    ):  # fmt: skip
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "topology": widgets.Dropdown(options=list(TOPOLOGIES)),
                "coupling": widgets.FloatSlider(min=-1.5, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.FloatSlider(min=0.0, max=2.0, step=0.05),
            },
            "solver": {
                "damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05),
                "start": widgets.Dropdown(options=["neutral", "zero"]),
            },
        }

    def make_picture(self) -> Player:
        return Player("messages of max-product on a graph")

    def compute(self, params) -> State:
        return compute.state(**params, seed=self.seed)

    def compute_many(self, settings: list[dict[str, Any]]) -> list[State]:
        """Return the states of many values of the controls at once."""
        return compute.states(settings, self.seed)

    def paint(self, state: State) -> Clip:
        return paint.picture(state, self.layers.shown)

    def recording(self) -> Clip:
        return paint.recording(self.state, self.layers.shown)

    def sweeps(self, state: State) -> float:
        return SWEEPS

    def describe(self, state: State) -> str:
        if state.sweeps is not None:
            outcome = f"settled after {state.sweeps} sweeps"
        elif state.period is not None:
            outcome = f"cycles with period {state.period}"
        else:
            outcome = f"still moving after {SWEEPS} sweeps (residual {state.residuals[-1]:.2g} nats)"
        gap = float(state.gaps[-1])
        below = f"decoded states {gap:.3g} nats below the best score"
        answer = "decodes the best states" if gap < EXACT_GAP else below
        if state.sweeps is not None and state.undecided:
            answer += ", undecided: a belief is 0"
        return f"{outcome} · {answer} · seed {state.seed}"

    def snapshot(self) -> bytes:
        return paint.snapshot(self.state, self.layers.shown)
