"""The race: four samplers on the same model, from the same noise, at equal sweeps or at equal time (Section 3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Bool, Float, Int

from ...plot.pixels import Image
from ..comparing import ComparingExplorer
from ..page.still import Still
from . import compute as track
from .paint import WIDTH, RacePainter

COUPLINGS = ("the same", "PMP's own")
BUDGETS = ("sweeps", "time")
MEASURES = ("MMD", "energy")


class RaceState(NamedTuple):
    """Where the samplers stand. S = 4 methods, R numbers of sweeps, N samples of n spins."""

    model: str
    measure: str
    budget: str
    sweeps: int
    """Of PMP."""
    rows: Int[np.ndarray, " S"]
    """How far down its list of sweeps each method is."""
    used: Int[np.ndarray, " S"]
    """Sweeps it has made."""
    samples: Bool[np.ndarray, "S N n"]
    exact: Bool[np.ndarray, "N n"]
    places: Float[np.ndarray, "S R"]
    """Sweeps, or time in sweeps of PMP."""
    curves: Float[np.ndarray, "S R"]
    """MMD^2 in standard deviations of a perfect sampler's, or the error of the mean energy of a spin, in nats."""
    band: float
    """Standard deviation of a perfect sampler."""
    microseconds: float
    """What PMP takes for one sample."""
    seed: int

    @property
    def values(self) -> Float[np.ndarray, " S"]:
        """The measure of each method now."""
        return self.curves[np.arange(len(self.rows)), self.rows]


def compute(model: str, couplings: str, budget: str, measure: str, sweeps: int, seed: int) -> RaceState:
    """Look up where everybody stands: nothing is sampled here."""
    runs, noise, listed = track.tracks()[model], seed % track.NOISES, np.array(track.SWEEPS)
    which = np.arange(len(track.METHODS))
    which[0] = len(track.METHODS) * (couplings == COUPLINGS[1])  # PMP's other run stands last
    pace = runs.seconds / runs.seconds[0] if budget == "time" else np.ones(len(which))
    last = np.array([track.LAST.get(method, listed[-1]) for method in track.METHODS])
    rows = ((listed <= last[:, None]) & (listed * pace[:, None] <= sweeps * (1 + 1e-9))).sum(1) - 1
    curves = (runs.mmd if measure == "MMD" else runs.energy)[which, :, noise]
    places = np.minimum(listed, last[:, None]) * pace[:, None]
    return RaceState(
        *(model, measure, budget, sweeps, rows, listed[rows]),
        *(runs.states[which, rows, noise], runs.exact[: track.CHAINS], places, curves),
        *(1.0 if measure == "MMD" else runs.band, 1e6 * sweeps * float(runs.seconds[0]), seed),
    )


class Race(ComparingExplorer):
    """The race: PMP, Gibbs, Gibbs-with-gradients and DMALA beside exact samples.

    Args:
        model, couplings, budget, measure, sweeps: where the controls stand first.
        seed: which of three sets of noise all samplers use.
    """

    title = "The race"
    caption = (
        "Samples of four methods beside exact ones, black up, white down; below, how far each set is from exact, sweep "
        "by sweep. The grey band is where exact samples themselves lie. All start at random, from the same noise."
    )

    def __init__(self, model="long chain", couplings="the same", budget="sweeps", measure="MMD", sweeps=8, seed=0):
        self._first = {"model": model, "couplings": couplings, "budget": budget, "measure": measure, "sweeps": sweeps}
        self.seed = seed
        track.tracks()  # now, so that no control has to wait for it
        self._painter = RacePainter()
        super().__init__()
        self.play("sweeps", "index", max=len(track.SWEEPS) - 1, step=1, interval=500)

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        options = {"model": track.MODELS, "couplings": COUPLINGS, "budget": BUDGETS, "measure": MEASURES}
        choices = {name: widgets.Dropdown(options=words, value=first[name]) for name, words in options.items()}
        return {
            "model": {name: choices[name] for name in ("model", "couplings")},
            "race": {name: choices[name] for name in ("budget", "measure")},
            "solver": {"sweeps": widgets.SelectionSlider(options=track.SWEEPS, value=first["sweeps"])},
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> RaceState:
        return compute(**params, seed=self.seed)

    def paint(self, state: RaceState) -> Image:
        return self._painter.paint(state)

    def describe(self, state: RaceState) -> str:
        numbers = zip(track.METHODS, state.values, state.used, strict=True)
        each = ", ".join(f"{track.SHORT.get(name, name)} {value:.2g} ({used} sweeps)" for name, value, used in numbers)
        unit = "sd" if state.measure == "MMD" else "nats"
        noise = state.seed % track.NOISES + 1
        return f"{unit} off: {each} · {state.microseconds:.0f} µs a sample of PMP · noise {noise} of {track.NOISES}"
