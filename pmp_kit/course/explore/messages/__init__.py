"""Message scope: the messages of max-product, sweep by sweep, on a small graph whose exact answer is known."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ....engine import checks
from ..picture import Explorer
from ..shared.limits import EXACT_GAP
from . import compute
from .compute import SWEEPS, State
from .topologies import TOPOLOGIES


class MessageScope(Explorer):
    """Message scope: scrub and play the messages of max-product on one of six small graphs.

    Args:
        topology, coupling, perturbation, damping, start: the first values of the controls.
        seed: of the noise; `perturbation` only scales it.
        layers: what the picture shows at first, of "states", "noise", "beliefs", "messages" and "truth".
    """

    title = "Message scope"
    caption = (
        "Each ring is the noise on one variable: <b>purple</b> favours 1, <b>orange</b> 0. The small square is its "
        "decoded state, filled 1 or empty 0. Play, or drag along the curve. Point at anything to read its numbers."
    )
    layer_names = ("states", "noise", "beliefs", "messages", "truth")
    more = ("seed",)
    telling = {"topology": list(TOPOLOGIES), "coupling": [round(0.1 * step, 1) for step in range(-15, 16)]}  # noqa: RUF012
    parts = ("variable", "cavity", "others", "edge", "message")

    def __init__(
        self, topology="triangle", coupling=-1.0, perturbation=1.0, damping=0.5, start="neutral", seed=1,
        layers=("states", "noise"),
    ):  # fmt: skip
        checks.count("seed", seed, minimum=0)
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

    def compute(self, params) -> State:
        return compute.state(**params)

    def compute_many(self, settings: list[dict[str, Any]]) -> list[State]:
        return compute.states(settings)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the variables in use; `messages` and `ends` (from, to) have two columns for each edge."""
        places, edges = TOPOLOGIES[state.topology]
        used, ends = len(places), edges[:, [[0, 1], [1, 0]]].reshape(-1, 2)
        return {
            "places": places,
            "ends": ends.astype("u1"),
            "weights": state.weight[ends[:, 0], ends[:, 1]],
            "messages": state.messages[:, ends[:, 0], ends[:, 1]],
            "beliefs": state.beliefs[:, :used],
            "states": state.states[:, :used].astype(bool),
            "truth": state.truth[:, :used].astype(bool),
            "bias": state.bias[:used],
            "noise": state.noise[:used],
            "exact": state.exact[:used],
            "residuals": state.residuals,
            "gaps": state.gaps,
        }

    def says(self, state: State) -> str:
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
