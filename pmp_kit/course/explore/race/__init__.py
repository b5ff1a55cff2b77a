"""The race: four samplers on the same model, from the same noise, at equal sweeps or at equal time (Section 3)."""

from __future__ import annotations

import ipywidgets as widgets

from ..comparing import ComparingExplorer
from . import compute, paint
from .compute import BUDGETS, COUPLINGS, MEASURES, METHODS, MODELS, NOISES, SHORT, SWEEPS, State


class Race(ComparingExplorer):
    """The race: PMP, Gibbs, Gibbs-with-gradients and DMALA beside exact samples.

    Args:
        model, couplings, budget, measure, sweeps: the first values of the controls.
        seed: which of three sets of noise all samplers use.
    """

    title = "The race"
    caption = (
        "Above: samples of four methods beside exact samples. Below: the distance of each set from exact samples, by "
        "sweep. Exact samples themselves lie in the grey band. All methods start from the same random states."
    )
    signs = ("pixels", "PMP", "Gibbs", "Gibbs-with-gradients", "DMALA", "exact", "band", "cursor")

    width = paint.WIDTH

    def __init__(self, model="long chain", couplings="the same", budget="sweeps", measure="MMD", sweeps=8, seed=0):
        compute.tracks()  # now, so that no control has to wait for it
        self._painter = paint.Painter()
        super().__init__(locals())
        self.play("sweeps", "index", max=len(SWEEPS) - 1, step=1, interval=500)

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
        return compute.state(**params, seed=self.seed)

    def describe(self, state: State) -> str:
        numbers = zip(METHODS, state.values, state.used, strict=True)
        each = ", ".join(f"{SHORT.get(name, name)} {value:.2g} ({used} sweeps)" for name, value, used in numbers)
        unit = "sd" if state.measure == "MMD" else "nats"
        noise = state.seed % NOISES + 1
        return f"{unit} off: {each} · {state.microseconds:.0f} µs a sample of PMP · noise {noise} of {NOISES}"
