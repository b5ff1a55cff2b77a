"""Energy table: up to four variables, all their states, energies and probabilities, beside the factor graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..explorer import Explorer
from . import compute, paint
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
        "Left: the factor graph. Disks are variables (<b style='color:#7b5ba6'>purple</b>: more often up, "
        "<b style='color:#c8761a'>orange</b>: more often down). Squares are factors; the one that <i>strength</i> sets "
        "has a thick frame. Right: all configurations. Black bars are <b>modes</b>: every change of one variable makes "
        "them less likely."
    )
    signs = ("belief", "factor", "pixels", "mode")

    width = paint.WIDTH
    telling = "strength"

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
        self.spins, self._factor = spins, factor
        self._strengths = {name: float(given.get(name, 0.0)) for name in names}
        self._painter = paint.Painter(spins, names)
        strength = self._strengths.get(factor, 0.0)
        super().__init__({"factor": factor, "strength": strength, "states": kind, "temperature": temperature})

    def make_controls(self):
        return {
            "model": {
                "factor": widgets.Dropdown(options=list(self._strengths)),
                "strength": widgets.FloatSlider(min=-MOST, max=MOST, step=0.05),
                "states": widgets.Dropdown(options=list(KINDS)),
            },
            "heat": {
                "temperature": widgets.FloatSlider(min=0.2, max=4.0, step=0.05),
            },
        }

    def params(self) -> dict[str, Any]:
        """Return the values of the controls and the strengths of all factors. Another factor sets its own strength."""
        values = super().params()
        if values["factor"] != self._factor:
            self._factor = values["factor"]
            self.controls["strength"].value = values["strength"] = self._strengths[self._factor]
        self._strengths[self._factor] = values["strength"]
        return {**values, "strengths": dict(self._strengths)}

    def moved(self, params: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        """Return `params` after changes; another factor has its own strength."""
        after = super().moved(params, changes)
        strength = after["strength"] if "strength" in changes else after["strengths"][after["factor"]]
        return after | {"strength": strength, "strengths": after["strengths"] | {after["factor"]: strength}}

    def view(self) -> dict[str, Any]:
        """Return the values of the controls and the strengths of all factors."""
        return super().view() | {"strengths": dict(self._strengths)}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the strengths."""
        super().set_view(values)
        self._factor, self._strengths = values["factor"], dict(values["strengths"])

    def arguments(self) -> dict[str, Any]:
        values = self.view()
        del values["strength"]
        return {"spins": self.spins, **values}

    def compute(self, params) -> State:
        strengths = np.array(list({**params["strengths"], params["factor"]: params["strength"]}.values()))
        chosen = list(params["strengths"]).index(params["factor"])
        return compute.state(self.spins, params["states"], params["temperature"], strengths, chosen)

    def describe(self, state: State) -> str:
        best, many = int(state.probabilities.argmax()), int(state.modes.sum())
        ties = int((state.scores > state.scores[best] - compute.TIE).sum())
        x = " ".join(str(value).replace("-", "−") for value in compute.all_states(self.spins, state.kind)[best])
        modes = {0: "no mode", 1: "1 mode"}.get(many, f"{many} modes")
        most = "most likely" if ties == 1 else f"one of {ties} most likely"
        return f"{modes} · {most} ({x}) with {state.probabilities[best]:.3f} · log Z = {state.log_partition:.3f} nats"
