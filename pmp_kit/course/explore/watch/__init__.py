"""Watch: the messages, beliefs and decoded states of any model, sweep by sweep."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

import pmp_kit as pk

from ....engine import checks
from ..picture import Explorer
from . import compute
from .compute import AS_GIVEN, STARTS, State

FEW_DAMPINGS = [0.0, 0.25, 0.5, 0.75, 0.95]  # on pages without a kernel


class Watch(Explorer):
    """Watch: max-product on a model of your own, drawn as a factor graph, with every number where you point.

    Blocks of two or more axes are drawn as boards; all else stands where a force layout puts it. All sweeps are made,
    and each shows the states that its own beliefs decode to: the sampler's tolerance, patience and `keep_best` play no
    part here.

    Args:
        model: a FactorGraph, or anything with .graph(); at most 200 variables and 500 factors.
        sampler: perturb-and-MAP with max-product, by default `PMP()`; its noise, schedule and start are kept.
        positions: dict block name -> (*shape, 2), x to the right and y downwards, in place of the layout.
        evidence: as for `sample`, without a leading axis.
        sweeps: how many are recorded.
        damping, start, perturbation: the first values of the controls, by default those of the sampler. The
            perturbation is the scale of the noise. The start has a control if it is given or if some neutral messages
            are not zero.
        seed: the first value of the control.
        layers: what the picture shows at first, of "states", "noise", "beliefs" and "messages".

    Raises:
        TypeError or ValueError: it names the argument.
    """

    title = "Watch"
    caption = (
        "Circles are variables: the ring is the noise, the disk the belief, and what is inside the decoded state. "
        "Squares are factors; a pair of binary variables is an edge. <b>Purple</b> favours state 1, <b>orange</b> 0. "
        "Play, or drag along the curve. Point at anything to read its numbers."
    )
    layer_names = ("states", "noise", "beliefs", "messages")
    telling = {"damping": FEW_DAMPINGS}  # noqa: RUF012

    def __init__(
        self, model, sampler: pk.PerturbAndMAP | None = None, positions=None, *, evidence=None, sweeps=40,
        damping=None, start=None, perturbation=None, seed=0, layers=("states", "noise", "beliefs", "messages"),
    ):  # fmt: skip
        given = locals()
        checks.count("seed", seed, minimum=0)
        self._sweeps = checks.count("sweeps", sweeps)
        self._watched = compute.Watched(model, sampler, evidence, positions)
        solver, noise = self._watched.solver, self._watched.noise
        self._first_values = {
            "damping": float(solver.damping) if damping is None else damping,
            "start": compute.start_of(solver.start) if start is None else start,
            "perturbation": float(noise.scale) if perturbation is None else perturbation,
        }
        neutral, as_given = self._watched.figure.neutral, self._first_values["start"] == AS_GIVEN
        self._starts_differ = start is not None or as_given or bool(neutral.any())
        super().__init__(given | self._first_values)

    def make_controls(self):
        first = self._first_values
        solver: dict[str, widgets.DOMWidget] = {
            "damping": widgets.FloatSlider(min=0.0, max=max(0.95, first["damping"]), step=0.05)
        }
        starts = [*STARTS, *([AS_GIVEN] if AS_GIVEN == first["start"] else [])]
        if self._starts_differ:
            solver["start"] = widgets.Dropdown(options=starts)
        return {
            "noise": {
                "perturbation": widgets.FloatSlider(min=0.0, max=max(2.0, first["perturbation"]), step=0.05),
                "seed": widgets.IntSlider(min=0, max=50),
            },
            "solver": solver,
        }

    def compute(self, params) -> State:
        settings = {"start": self._first_values["start"]} | params
        return compute.state(self._watched, **settings, sweeps=self._sweeps)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the figure of the model, and the numbers of all sweeps; see `compute.shown` for their last axis."""
        figure, sizes = self._watched.figure, self._watched.variables.cardinalities
        return {
            "blocks": [[name, list(block.shape)] for name, block in self._watched.variables.blocks],
            "names": figure.names,
            "sizes": sizes,
            "of": figure.of,
            "to": figure.to,
            "other": figure.other,
            "weights": figure.weights,
            "neutral": compute.shown(figure.neutral, sizes[figure.to]),
            "places": figure.places,
            "images": figure.images,
            "size": figure.size,
            "nearest": figure.nearest,
            "messages": compute.shown(state.messages, sizes[figure.to]),
            "beliefs": compute.shown(state.beliefs, sizes),
            "states": state.states,
            "residuals": state.residuals,
            "scores": state.scores,
            "bias": compute.shown(state.bias, sizes),
            "noise": compute.shown(state.noise, sizes),
            "evidence": np.where(state.evidence == pk.FREE, -1, state.evidence),
        }

    def says(self, state: State) -> str:
        if state.sweeps is not None:
            outcome = f"settled after {state.sweeps} sweeps"
        else:
            outcome = f"still moving after {self._sweeps} sweeps (residual {state.residuals[-1]:.3g} nats)"
        score = float(state.scores[-1])
        decoded = f"have the score {score:.3g} nats" if np.isfinite(score) else "are forbidden"
        figure = self._watched.figure
        return (
            f"{len(state.evidence)} variables, {len(figure.names)} factors · {outcome} · decoded states {decoded} · "
            f"seed {state.seed}"
        )
