"""One-sample scrubber: one sample of PMP from its first sweep to its last, beside the exact answer (Algorithm 1)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ..explorer import Explorer
from ..page.player import Clip, Player
from ..student import Sampler, Student
from . import compute, paint
from .compute import MODELS, SWEEPS, State


class OneSample(Explorer):
    """One-sample scrubber: follow one sample of PMP through its sweeps.

    Args:
        model, coupling, perturbation, damping, seed: the first values of the controls.
        sampler: a sampler of your own, whose states and scores are shown beside those of the kit; see
            `student.Sampler`. It is called once for each number of sweeps.
    """

    title = "One sample"
    caption = (
        "Rings: the perturbed unaries, what each variable would like by itself. Arrows: messages. Disks: beliefs. "
        "<b style='color:#7b5ba6'>Purple</b> is for 1, <b style='color:#c8761a'>orange</b> for 0. Dots: the decode, "
        "black 1, white 0, <b style='color:#D55E00'>red</b> where the best configuration has the other state. The "
        "curve is the score of the decode, dashed the best so far."
    )

    def __init__(
        self, model="chain", coupling=0.8, perturbation=1.0, damping=0.5, seed=0, sampler: Sampler | None = None
    ):
        self.student = None if sampler is None else Student(sampler, self.refresh)
        super().__init__(locals())

    def make_controls(self) -> dict[str, dict[str, Any]]:
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

    def extras(self):
        return [self.student.widget] if self.student else []

    def make_picture(self) -> Player:
        return Player("one sample of PMP, its messages and beliefs")

    def compute(self, params) -> State:
        state = compute.state(**params)
        if self.student is None:
            return state
        model, coupling, damping = params["model"], params["coupling"], params["damping"]
        results = self.student.ask(tuple(params.values()), compute.parts(state, model, coupling, damping))
        return compute.with_own(state, results, model, coupling)

    def compute_many(self, settings: list[dict[str, Any]]) -> list[State]:
        """Return the states of many values of the controls at once."""
        return compute.states(settings)

    def paint(self, state: State) -> Clip:
        return paint.picture(state)

    def sweeps(self, state: State) -> float:
        return SWEEPS

    def describe(self, state: State) -> str:
        found = np.flatnonzero(state.gaps < 1e-3)
        best = "exact" if len(found) else f"{state.gaps.min():.2f} nats short"
        first = f", first at sweep {found[0]}" if len(found) else ""
        last = "exact" if state.gaps[-1] < 1e-3 else f"{state.gaps[-1]:.2f} nats short"
        return f"best decode {best}{first} · last decode {last} · best score {state.top:.2f} nats · seed {state.seed}"

    def snapshot(self) -> bytes:
        return paint.snapshot(self.state)
