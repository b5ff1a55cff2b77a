"""Graph lab: three samplers learn a lattice or a random graph, at equal sweeps or at equal time (Section 5.4)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ...experiments.graphs.figures import SHORT
from ...experiments.graphs.lab import SWEEPS
from ...experiments.graphs.learn import METHODS
from ..picture import Explorer
from . import compute
from .compute import BUDGETS, GRAPHS, SCALES, State


class GraphLab(Explorer):
    """Graph lab: quality of samples, error of parameters, and cost, of three samplers that learned the same graph.

    Args:
        graph, method, budget, sweeps, kernel_scale: the first values of the controls.
    """

    title = "Graph lab"
    caption = (
        "Above: the distance of samples from new data. Below: the error of the learned couplings. The order of the "
        "three methods can differ between the two. At the right: each learned coupling over the true one. Bars are "
        "standard errors. Point at anything to read its numbers."
    )
    telling = ("graph", "sweeps")

    def __init__(self, graph="lattice", method="PMP", budget="sweeps", sweeps=25, kernel_scale=10):
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {"graph": widgets.Dropdown(options=list(GRAPHS))},
            "solver": {
                "method": widgets.Dropdown(options=METHODS),
                "sweeps": widgets.SelectionSlider(options=SWEEPS),
            },
            "picture": {
                "budget": widgets.Dropdown(options=BUDGETS),
                "kernel scale": widgets.Dropdown(options=SCALES),
            },
        }

    def compute(self, params) -> State:
        setting = params["graph"], params["method"], params["budget"], params["sweeps"], params["kernel scale"]
        return compute.state(*setting)

    def frame(self, state: State) -> dict[str, Any]:
        names = {"methods": METHODS, "names": [SHORT[name] for name in METHODS], "sweeps": SWEEPS}
        return state._asdict() | names | {"reach": compute.REACH[state.graph]}

    def says(self, state: State) -> str:
        at = state.method, state.place
        best = " or ".join(METHODS[method] for method in state.best)
        best += " (too close to tell)" if len(state.best) > 1 else ""
        return (
            f"{METHODS[state.method]}: samples {state.quality[at]:.1f} standard deviations from new data, "
            f"RMSE of W {state.rmse[at]:.4f} · best samples at this number of sweeps: {best}"
        )
