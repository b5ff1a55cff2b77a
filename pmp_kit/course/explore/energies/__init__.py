"""Energy table: up to four variables, all their states, energies and probabilities, beside the factor graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..picture import Explorer
from . import compute
from .compute import KINDS, MOST, State

OPENING = 0.5  # nats: the strength of J12, J23, ... where none is given, because without any all bars are equal


class EnergyTable(Explorer):
    """Energy table: choose a factor, drag its strength, and watch energies, probabilities and log Z follow.

    Args:
        spins: number of variables, 2 to 4.
        states: "{0, 1}" or "{-1, +1}".
        factor, temperature: the first values of the controls.
        strengths: name of a factor -> its strength in nats; 0 for those that are not named. By default
            J12, J23, ... are OPENING.
    """

    title = "Energy table"
    caption = (
        "Left: the factor graph. Disks are variables (<b>purple</b>: more often up, "
        "<b>orange</b>: more often down). Squares are factors; the one that <i>strength</i> sets "
        "has a thick frame. Right: all configurations. Highlighted rows are <b>modes</b>: every change of one variable "
        "makes them less likely. Point at anything to read its numbers."
    )
    more = ("strengths",)
    telling = {"strength": np.linspace(-MOST, MOST, 41).round(2).tolist(), "temperature": [0.2, 0.5, 1.0, 2.0, 4.0]}  # noqa: RUF012

    def __init__(self, spins=4, states="{-1, +1}", factor="J12", temperature=1.0, strengths=None):
        if checks.count("spins", spins) not in (2, 3, 4):
            raise ValueError(f"spins: expected 2, 3 or 4, got {spins!r}; more states would not fit the picture")
        kind, names = str(states).replace("-", "−"), compute.factor_names(spins)
        given = {f"J{i}{i + 1}": OPENING for i in range(1, spins)} if strengths is None else strengths
        if kind not in KINDS:
            raise ValueError(f"states: expected '{{0, 1}}' or '{{-1, +1}}', got {states!r}")
        if not isinstance(given, Mapping):
            raise TypeError(f"strengths: expected a dict of names and strengths, got {checks.describe(given)}")
        for name, value in given.items():
            if name not in names:
                raise ValueError(f"strengths: expected names among {', '.join(names)}, got {name!r}")
            checks.number(f"strengths[{name!r}]", value, -MOST, MOST)
        self.spins, self._names = spins, names
        all_strengths = {name: float(given.get(name, 0.0)) for name in names}
        first = {"spins": spins, "states": kind, "factor": factor, "temperature": temperature}
        super().__init__(first | {"strengths": all_strengths, "strength": all_strengths.get(factor, 0.0)})

    def make_controls(self):
        return {
            "model": {
                "factor": widgets.Dropdown(options=self._names),
                "strength": widgets.FloatSlider(min=-MOST, max=MOST, step=0.05),
                "states": widgets.Dropdown(options=list(KINDS)),
            },
            "heat": {
                "temperature": widgets.FloatSlider(min=0.2, max=4.0, step=0.05),
            },
        }

    def changed(self, params: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        """Return the params after one was set. Another factor has its own strength, and each keeps its strength."""
        after = super().changed(params, name, value)
        if name == "factor":
            return after | {"strength": after["strengths"][value]}
        return after | {"strengths": after["strengths"] | {after["factor"]: after["strength"]}}

    def moved(self, params: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return params after several changes. The factor comes first, because it brings its own strength."""
        return super().moved(params, {name: changes[name] for name in ("factor", *changes) if name in changes})

    def arguments(self) -> dict[str, Any]:
        """Leave out the strength of the slider, which is among all strengths."""
        return {name: value for name, value in super().arguments().items() if name != "strength"}

    def compute(self, params) -> State:
        strengths = np.array([params["strengths"][name] for name in self._names])
        chosen = self._names.index(params["factor"])
        return compute.state(self.spins, params["states"], params["temperature"], strengths, chosen)

    def says(self, state: State) -> str:
        best, many = int(state.probabilities.argmax()), int(state.modes.sum())
        ties = int((state.scores == state.scores[best]).sum())
        x = " ".join(str(value).replace("-", "−") for value in compute.all_states(self.spins, state.kind)[best])
        modes = {0: "no mode", 1: "1 mode"}.get(many, f"{many} modes")
        most = "most likely" if ties == 1 else f"one of {ties} most likely"
        return f"{modes} · {most} ({x}) with {state.probabilities[best]:.3f} · log Z = {state.log_partition:.3f} nats"
