"""One-sample scrubber: one sample of PMP from its first sweep to its last, beside the exact answer (Algorithm 1)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ..shared.limits import EXACT_GAP
from ..student import Sampler, Taught
from . import compute
from .compute import MODELS, SWEEPS, State


class OneSample(Taught):
    """One-sample scrubber: follow one sample of PMP through its sweeps.

    Args:
        model, coupling, perturbation, damping, seed: the first values of the controls.
        sampler: a sampler of your own, whose states are shown beside those of the library, over the curves of both
            scores; see `student.Sampler`. It is called once for each number of sweeps.
        layers: what the picture shows at first, of "states", "noise", "beliefs", "messages" and "truth".
    """

    title = "One sample"
    caption = (
        "Each ring is the noise on one variable: <b>purple</b> favours 1, <b>orange</b> 0. The small square is its "
        "decoded state, filled 1 or empty 0. Play the sweeps, then show beliefs, messages and the truth. The curve is "
        "the score of the decoded states. Point at anything to read its numbers."
    )
    layer_names = ("states", "noise", "beliefs", "messages", "truth")
    telling = {"seed": [*range(12)]}  # noqa: RUF012
    frames = "sweep", SWEEPS
    parts = (
        "variable", "noise", "belief", "state", "cavity", "others", "incoming", "edge", "reply", "message", "messages",
    )  # fmt: skip

    def __init__(
        self, model="line", coupling=0.8, perturbation=1.0, damping=0.5, seed=0, layers=("states", "noise"),
        sampler: Sampler | None = None,
    ):  # fmt: skip
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "model": widgets.Dropdown(options=MODELS),
                "coupling": widgets.FloatSlider(min=0.0, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.FloatSlider(min=0.0, max=2.0, step=0.05),
                "seed": widgets.IntSlider(min=0, max=50),
            },
            "solver": {"damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05)},
        }

    def compute(self, params) -> State:
        return compute.state(**params)

    def compute_shown(self, params) -> State:
        state = self.compute(params)
        if self.student is None:
            return state
        results = self.student.ask(tuple(params.values()), lambda: compute.parts(state, params["damping"]))
        return compute.with_own(state, results)

    def compute_many(self, settings: list[dict[str, Any]]) -> list[State]:
        return compute.states(settings)

    def frame(self, state: State) -> dict[str, Any]:
        """Return both samples; that of the reader as far as it has come."""
        own = {"own": None}
        if state.own is not None and state.own_scores is not None and self.student is not None:
            own = {
                "own": state.own.astype(bool),
                "own_scores": state.own_scores,
                "own_truth": state.truth(state.own, state.own_scores).astype(bool),
                "name": self.student.name,
            }
        return {
            "places": compute.PLACES,
            "ends": state.ends.astype("u1"),
            "weights": state.weights,
            "messages": state.messages,
            "beliefs": state.beliefs,
            "states": state.states.astype(bool),
            "truth": state.truth(state.states, state.scores).astype(bool),
            "bias": state.bias,
            "noise": state.noise,
            "scores": state.scores,
            "gaps": np.where(state.gaps < EXACT_GAP, 0.0, state.gaps),
            "top": state.top,
            **own,
        }

    def says(self, state: State) -> str:
        if state.own_scores is not None and self.student is not None:
            gaps = state.top - state.own_scores
            best = f"best {gaps.min():.2f} nats short" if len(gaps) else "no result"
            return (
                f"{self.student.name}: {len(gaps)} of {SWEEPS + 1} calls, {best}; "
                f"the kit: best {state.gaps.min():.2f} nats short · seed {state.seed}"
            )
        found = np.flatnonzero(state.gaps < EXACT_GAP)
        if len(found):
            last = state.gaps[-1]
            lost = (state.gaps[found[0] :] >= EXACT_GAP).any()
            has = "have it again at the end, after losing it" if lost else "still have it at the end"
            end = has if last < EXACT_GAP else f"end {last:.3g} nats below it"
            outcome = f"the decoded states first reach the best score at sweep {found[0]}, and {end}"
        else:
            outcome = f"the decoded states stay at least {state.gaps.min():.3g} nats below the best score"
        return f"{outcome} · best score {state.top:.2f} nats · seed {state.seed}"
