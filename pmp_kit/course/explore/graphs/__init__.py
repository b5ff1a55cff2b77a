"""Graph lab: three samplers learn a lattice or a random graph, at equal sweeps or at equal time (Section 5.4)."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float

from pmp_kit.course.experiments.graphs import lab as structured_lab
from pmp_kit.course.experiments.graphs import learn as structured

from ....measures.errors import mean_and_error
from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from .paint import WIDTH, GraphLabPainter

BUDGETS = ("sweeps", "time")
SCALES = tuple(int(scale) for scale in structured.SCALES)


class LabState(NamedTuple):
    """All methods on one graph; means over seeds, with standard errors."""

    graph: str
    method: int
    """Number of the method that is looked at."""
    place: int
    """Number of its entry in the list of sweeps."""
    budget: str
    scale: int
    budgets: Float[np.ndarray, "methods sweeps"]
    """Sweeps, or seconds of learning and drawing."""
    quality: Float[np.ndarray, "methods sweeps"]
    """MMD^2 in standard deviations of a perfect sampler's: 0 is as good as new data."""
    quality_error: Float[np.ndarray, "methods sweeps"]
    rmse: Float[np.ndarray, "methods sweeps"]
    rmse_error: Float[np.ndarray, "methods sweeps"]
    pixels: float
    """The quality of independent pixels."""
    true: Float[np.ndarray, " pairs"]
    learned: Float[np.ndarray, " pairs"]


def compute(graph: str, method: str, budget: str, sweeps: int, scale: int) -> LabState:
    """Look up what was measured."""
    table, g, m = structured_lab.load(), structured.GRAPHS.index(graph), structured.METHODS.index(method)
    place, s = structured_lab.SWEEPS.index(sweeps), SCALES.index(scale)
    quality, quality_error = mean_and_error(table["sigmas"][g, ..., s])
    rmse, rmse_error = mean_and_error(table["rmse"][g])
    budgets = np.broadcast_to(np.asarray(structured_lab.SWEEPS, np.float32), quality.shape)
    if budget == "time":
        budgets = table["seconds"][g].min(-1)  # the run that was disturbed least
    true = structured.truth(graph, structured_lab.NODES)[0][structured_lab.pairs(graph)]
    learned = table[f"learned {graph}"][m, place].astype(np.float32)
    numbers = budgets, quality, quality_error, rmse, rmse_error, float(table[f"beside {graph}"][1, s])
    return LabState(graph, m, place, budget, scale, *numbers, true, learned)


class GraphLab(Explorer):
    """Graph lab: quality of samples, error of parameters, and cost, of three samplers that learned the same graph.

    Args:
        graph, method, budget, sweeps, scale: where the controls stand first.
    """

    title = "Graph lab"
    caption = (
        "Above: how far samples are from data kept out. Below: how far the learned couplings are from the true ones. "
        "The order of the three need not be the same in both. At the right, every coupling: learned against true."
    )

    def __init__(self, graph="lattice", method="PMP", budget="sweeps", sweeps=25, scale=10):
        self._first = {"graph": graph, "method": method, "budget": budget, "sweeps": sweeps, "scale": scale}
        self._painter = GraphLabPainter()
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {"graph": widgets.Dropdown(options=structured.GRAPHS, value=first["graph"])},
            "solver": {
                "method": widgets.Dropdown(options=structured.METHODS, value=first["method"]),
                "sweeps": widgets.SelectionSlider(options=structured_lab.SWEEPS, value=first["sweeps"]),
            },
            "picture": {
                "budget": widgets.Dropdown(options=BUDGETS, value=first["budget"]),
                "scale": widgets.Dropdown(options=SCALES, value=first["scale"]),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> LabState:
        return compute(**params)

    def paint(self, state: LabState) -> Image:
        return self._painter.paint(state)

    def exercise_more(self) -> int:
        """Every graph with every budget, each of which has a figure of its own."""
        pairs = [(graph, budget) for graph in structured.GRAPHS for budget in BUDGETS]
        for graph, budget in pairs:
            self.paint(compute(graph, "PMP", budget, structured_lab.SWEEPS[0], SCALES[0]))
        return len(pairs)

    def describe(self, state: LabState) -> str:
        at = state.method, state.place
        best = structured.METHODS[int(state.quality[:, state.place].argmin())]
        return (
            f"{structured.METHODS[state.method]}: samples {state.quality[at]:.1f} standard deviations from new data, "
            f"RMSE of W {state.rmse[at]:.4f} · best samples at this number of sweeps: {best}"
        )
