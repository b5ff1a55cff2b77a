"""Factor bench: the messages to and from one factor, by its formula and by enumeration (Appendix C)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..picture import Explorer
from . import compute, timing
from .compute import KINDS, MOST, POTTS, REACH, State
from .equaliser import Equaliser

LAST_SEED = 20


class FactorBench(Explorer):
    """Factor bench: set the messages to a factor and read those it sends, by its formula and by enumeration.

    Args:
        factor, n, k, temperature, seed: the first values of the controls.
        incoming: the first messages, at most six; by default drawn from the seed.

    Raises:
        ValueError: a value that the bench does not have, or more incoming messages than it has places for.
    """

    title = "Factor bench"
    caption = (
        "The sliders set the <b>incoming messages</b> of one factor. A formula computes the <b>outgoing messages</b>. "
        "The lines across them are the same messages, computed by trying every configuration. Below: the time of both, "
        "as the factor grows. A <b>temperature</b> above 0 replaces each maximum by a soft maximum (sum-product)."
    )
    telling = ("n", "temperature")

    def __init__(self, factor="OR", n=4, k=2, temperature=0.0, seed=0, incoming=None):
        if factor not in (*KINDS, POTTS):
            raise ValueError(f"factor: expected one of {', '.join((*KINDS, POTTS))}, got {factor!r}")
        if checks.count("n", n) not in range(2, MOST + 1):
            raise ValueError(f"n: expected from 2 to {MOST}, got {n!r}")
        checks.count("k", k, minimum=0)
        if seed not in range(LAST_SEED + 1):
            raise ValueError(f"seed: expected from 0 to {LAST_SEED}, got {seed!r}")
        incoming = [] if incoming is None else [checks.number("incoming", m) for m in np.ravel(incoming).tolist()]
        if len(incoming) > MOST:
            raise ValueError(f"incoming: expected at most {MOST} messages, got {len(incoming)}; leave some out")
        if not (np.abs(incoming) <= REACH).all():
            raise ValueError(f"incoming: expected messages from {-REACH:g} to {REACH:g}, got {incoming}")
        self.equaliser = Equaliser([*incoming, *compute.drawn(seed)[len(incoming) :]], REACH, "in")
        self.loose = self.equaliser.sliders  # those beyond n are not on the page
        self._times = timing.measured()
        super().__init__(locals())

    def extras(self) -> list[widgets.Widget]:
        return [self.equaliser.widget]

    def make_controls(self):
        return {
            "model": {
                "factor": widgets.Dropdown(options=[*KINDS, POTTS]),
                "n": widgets.IntSlider(min=2, max=MOST),
                "k": widgets.IntSlider(min=0, max=MOST),
            },
            "noise": {"seed": widgets.IntSlider(min=0, max=LAST_SEED)},
            "solver": {"temperature": widgets.FloatSlider(min=0.0, max=2.0, step=0.05)},
        }

    def make_inputs(self) -> dict[str, Any]:
        """Add the sliders of the messages."""
        return super().make_inputs() | {"incoming": self.equaliser}

    def changed(self, params: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        """Return the params after one was set; another seed draws new messages."""
        after = super().changed(params, name, value)
        return after | {"incoming": tuple(compute.drawn(value))} if name == "seed" else after

    def completed(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the params with the messages as the sliders have them, in a tuple."""
        return params | {"incoming": tuple(params["incoming"])}

    def refresh(self) -> None:
        """Compute and send the state, then show the sliders of n messages, and lock k where the factor has none."""
        super().refresh()
        self.equaliser.show(self.params["n"])
        self.controls["k"].disabled = not compute.has_k(self.params["factor"])

    def compute(self, params) -> State:
        return compute.state(**params)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the messages, infinite ones as such, and the measured times."""
        tried, formula = self._times
        return {
            "names": state.names,
            "potts": state.factor == POTTS,
            "incoming": state.incoming,
            "formula": compute.infinite(state.formula),
            "tried": compute.infinite(state.tried),
            "differences": np.abs(state.formula - state.tried),
            "configurations": state.configurations,
            "tried_sizes": np.array(tried.variables),
            "tried_times": tried.milliseconds,
            "formula_sizes": np.array(formula.variables),
            "formula_times": formula.milliseconds,
        }

    def says(self, state: State) -> str:
        words = f"{state.factor}, k = {state.k}" if compute.has_k(state.factor) else state.factor
        if compute.has_k(state.factor) and state.asked > state.k:
            words += f" (a k of {state.asked} is above n and counts as n)"
        rule = "max-product" if state.temperature == 0 else f"sum-product, temperature {state.temperature:.2f}"
        gap = f"{state.gap:.0e}" if state.gap else "0"
        return (
            f"{words} · {rule} · formula and {state.configurations} tried configurations differ by at most "
            f"{gap} nats · seed {state.seed}"
        )
