"""The race: four samplers on the same model, from the same noise, at equal sweeps or at equal time (Section 3)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..picture import Explorer
from ..shared import grid
from . import compute
from .compute import BUDGETS, COUPLINGS, MEASURES, METHODS, MODELS, NOISES, SHORT, SIDE, SWEEPS, State

COLUMNS, SQUARES = 40, 25  # samples of a line and of a lattice in a picture


class Race(Explorer):
    """The race: PMP, Gibbs, Gibbs-with-gradients and DMALA beside exact samples.

    Args:
        model, couplings, budget, measure, sweeps: the first values of the controls.
        seed: which of three sets of noise all samplers use.
    """

    title = "The race"
    caption = (
        "Above: samples of four methods beside exact samples; filled is 1, empty 0. Below: the distance of each set "
        "from exact samples, by sweep. Exact samples themselves lie in the grey band. All methods start from the same "
        "random states. Point at anything to read its numbers."
    )
    more = ("seed",)
    telling = ("model", "sweeps")

    def __init__(self, model="long line", couplings="the same", budget="sweeps", measure="MMD", sweeps=8, seed=0):
        checks.count("seed", seed, minimum=0)
        compute.tracks()  # now, so that no control has to wait for it
        super().__init__(locals())
        self.play("sweeps", interval=500)

    def make_controls(self):
        return {
            "model": {
                "model": widgets.Dropdown(options=MODELS),
                "couplings": widgets.Dropdown(options=COUPLINGS),
            },
            "race": {
                "budget": widgets.Dropdown(options=BUDGETS),
                "measure": widgets.Dropdown(options=MEASURES),
            },
            "solver": {"sweeps": widgets.SelectionSlider(options=SWEEPS)},
        }

    def compute(self, params) -> State:
        return compute.state(**params)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the curves, and the first samples, those of the line in the order of the line."""
        line, sheets = state.model == "long line", np.stack([state.exact, *state.samples])
        order, edges = grid.snake(SIDE)
        first, second = (grid.pairs(SIDE)[edges] if line else grid.pairs(SIDE)).T
        return {name: getattr(state, name) for name in ("measure", "budget", "sweeps", "places", "curves", "band")} | {
            "sheets": sheets[:, :COLUMNS, order] if line else sheets[:, :SQUARES],
            "equal": (sheets[..., first] == sheets[..., second]).sum(-1),
            "pairs": len(first),
            "line": line,
            "names": ["exact samples", *(SHORT.get(name, name) for name in METHODS)],
            "methods": METHODS,
            "rows": state.rows,
            "made": np.minimum(SWEEPS, compute.LASTS[:, None]),
        }

    def says(self, state: State) -> str:
        numbers = zip(METHODS, state.values, state.used, strict=True)
        each = ", ".join(f"{SHORT.get(name, name)} {value:.2g} ({used} sweeps)" for name, value, used in numbers)
        unit = "sd" if state.measure == "MMD" else "nats"
        noise = state.seed % NOISES + 1
        return f"{unit} off: {each} · {state.microseconds:.0f} µs a sample of PMP · noise {noise} of {NOISES}"
