"""Factor bench: the messages to and from one factor, by its formula and by enumeration (Appendix C)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..explorer import Explorer
from . import compute, paint, timing
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
        "The messages of one factor. The sliders set the <b style='color:#6b6b6b'>incoming messages</b>; the "
        "<b style='color:#0072B2'>outgoing messages</b> are computed by a formula. The black lines are the same "
        "messages, computed by trying every configuration. Below: the time of both, as the factor grows. A "
        "<b>temperature</b> above 0 replaces each maximum by a soft maximum (sum-product)."
    )
    signs = ("incoming", "exact", "cursor")
    width = paint.WIDTH
    telling = "temperature"

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
        given = [*incoming, *compute.drawn(seed)[len(incoming) :]]
        self._seed, self.equaliser = seed, Equaliser(given, REACH, "in", self._changed)
        compute.state(factor, n, k, temperature, seed, given)  # compiles now, so that no control has to wait for it
        self._painter = paint.Painter(*timing.measured())
        self.loose = self.equaliser.sliders  # those beyond n are not on the page
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

    def params(self) -> dict[str, Any]:
        """Return the values of the controls and of the sliders of n messages; another seed draws new messages."""
        values = super().params()
        if values["seed"] != self._seed:
            self._seed = values["seed"]
            self.equaliser.values = compute.drawn(self._seed)
        self.equaliser.show(values["n"])
        return {**values, "incoming": self.equaliser.values}

    def moved(self, params: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        """Return `params` after changes; another seed draws new messages."""
        after = super().moved(params, changes)
        same = after["seed"] == params["seed"]
        return after if same else after | {"incoming": tuple(compute.drawn(after["seed"]))}

    def refresh(self) -> None:
        """Compute and paint. The reader waits for the picture, so what becomes of the controls is sent after it."""
        with self.equaliser.later():
            super().refresh()
        self.controls["k"].disabled = not compute.has_k(self.controls["factor"].value)

    def view(self) -> dict[str, Any]:
        """Return the values of the controls and all messages to the factor."""
        return super().view() | {"incoming": list(self.equaliser.values)}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the messages."""
        super().set_view(values)
        self._seed, self.equaliser.values = values["seed"], values["incoming"]

    def compute(self, params) -> State:
        return compute.state(**params)

    def exercise_more(self) -> int:
        """Move all messages to both ends."""
        kept = self.equaliser.values
        for values in ((-REACH,) * MOST, (REACH,) * MOST, kept):
            self.equaliser.values = values
        return 3

    def describe(self, state: State) -> str:
        words = f"{state.factor}, k = {state.k}" if compute.has_k(state.factor) else state.factor
        if compute.has_k(state.factor) and state.asked > state.k:
            words += f" (a k of {state.asked} is above n and counts as n)"
        rule = "max-product" if state.temperature == 0 else f"sum-product, temperature {state.temperature:.2f}"
        gap = f"{state.gap:.0e}" if state.gap else "0"
        return (
            f"{words} · {rule} · formula and {state.configurations} tried configurations differ by at most "
            f"{gap} nats · seed {state.seed}"
        )
