"""Factor bench: what comes into one factor and what goes out, by its formula and by trying everything (Appendix C)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from ...plot.pixels import Image
from ..equaliser import Equaliser
from ..explorer import Explorer
from ..page.still import Still
from . import compute as bench
from . import timing as bench_timing
from .compute import BenchState
from .paint import WIDTH, FactorBenchPainter

REACH = 6.0
"""Of the incoming messages, in nats."""


def drawn(seed: int) -> list[float]:
    """As many incoming messages as the bench has places for."""
    return [float(v) for v in np.random.default_rng(seed).normal(0.0, 2.0, bench.MOST).clip(-REACH, REACH).round(1)]


class FactorBench(Explorer):
    """Factor bench: slide what comes into a factor, read what goes out, by its formula and by trying everything.

    Args:
        factor, n, k, temperature, seed: where the controls stand first.
        incoming: the first messages, at most six; by default drawn from the seed.

    Raises:
        ValueError: more incoming messages than the bench has places for.
    """

    title = "Factor bench"
    caption = (
        "One factor. Slide what the others tell it (<b style='color:#6b6b6b'>grey</b>); what it answers is "
        "<b style='color:#0072B2'>blue</b>, by its formula. The black line is the same from trying every "
        "configuration. Below: what either costs, as the factor grows."
    )

    def __init__(self, factor="OR", n=4, k=2, temperature=0.0, seed=0, incoming=None):
        if incoming is not None and len(incoming) > bench.MOST:
            raise ValueError(f"incoming: expected at most {bench.MOST} messages, got {len(incoming)}; leave some out")
        self._first = {"factor": factor, "n": n, "k": k, "temperature": temperature, "seed": seed}
        given = [*(incoming or ()), *drawn(seed)[len(incoming or ()) :]]
        self._seed, self.equaliser = seed, Equaliser(given, REACH, "in", self._changed)
        bench.state(**self._first, incoming=given)  # compiles now, not under the reader's fingers
        self._painter = FactorBenchPainter(*bench_timing.measured())
        super().__init__()

    def extras(self) -> list[widgets.Widget]:
        return [self.equaliser.widget]

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        kinds = [*bench.KINDS, bench.POTTS]
        return {
            "model": {
                "factor": widgets.Dropdown(options=kinds, value=first["factor"]),
                "n": widgets.IntSlider(value=first["n"], min=2, max=bench.MOST),
                "k": widgets.IntSlider(value=first["k"], min=0, max=bench.MOST),
            },
            "noise": {"seed": widgets.IntSlider(value=first["seed"], min=0, max=20)},
            "solver": {"temperature": widgets.FloatSlider(value=first["temperature"], min=0.0, max=2.0, step=0.05)},
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def params(self) -> dict[str, Any]:
        """The values of the controls and of the sliders of messages, as many as n; another seed sets them anew."""
        values = super().params()
        self.controls["k"].disabled = not bench.has_k(values["factor"])
        if values["seed"] != self._seed:
            self._seed = values["seed"]
            self.equaliser.values = drawn(self._seed)
        self.equaliser.show(values["n"])
        return {**values, "incoming": self.equaliser.values}

    def compute(self, params) -> BenchState:
        return bench.state(**params)

    def paint(self, state: BenchState) -> Image:
        return self._painter.paint(state)

    def exercise_more(self) -> int:
        """Slide all messages to both ends."""
        kept = self.equaliser.values
        for values in ((-REACH,) * bench.MOST, (REACH,) * bench.MOST, kept):
            self.equaliser.values = values
        return 3

    def describe(self, state: BenchState) -> str:
        words = f"{state.factor}, k = {state.k}" if bench.has_k(state.factor) else state.factor
        rule = "max-product" if state.temperature == 0 else f"sum-product, temperature {state.temperature:.2f}"
        return (
            f"{words} · {rule} · formula and {state.configurations} tried configurations differ by at most "
            f"{state.gap:.0e} nats · seed {state.seed}"
        )
