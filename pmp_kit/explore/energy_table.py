"""Energy table: up to four variables, all their states, energies and probabilities, beside the factor graph."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Bool, Float, Int

from .energy_painter import HEIGHT, WIDTH, EnergyPainter
from .explorer import Explorer, Still

KINDS = {"{0, 1}": (0, 1), "{−1, +1}": (-1, 1)}
MOST = 2.0  # nats: the largest strength


class TableState(NamedTuple):
    """A model of n variables, enumerated. m = 2^n states, the last variable counts fastest."""

    kind: str
    temperature: float
    strengths: Float[np.ndarray, " factors"]
    """Of the factors, in the order of `factor_names`."""
    chosen: int
    """Number of the factor that the strength belongs to."""
    scores: Float[np.ndarray, " m"]
    """score(x) = -E(x), in nats."""
    probabilities: Float[np.ndarray, " m"]
    log_partition: float
    """log Z at this temperature, in nats."""
    modes: Bool[np.ndarray, " m"]
    """Whether changing any one variable makes a state less likely."""
    up: Float[np.ndarray, " n"]
    """Probability that each variable is in its upper state, 1 or +1."""


def factor_names(spins: int) -> tuple[str, ...]:
    """b1, b2, ... for single variables, then W12, W13, ... for pairs."""
    pairs = itertools.combinations(range(1, spins + 1), 2)
    return (*(f"b{i}" for i in range(1, spins + 1)), *(f"W{i}{j}" for i, j in pairs))


def all_states(spins: int, kind: str) -> Int[np.ndarray, "m n"]:
    """Every state of the variables, in the values that `kind` gives them."""
    return np.array(list(itertools.product(KINDS[kind], repeat=spins)))


def compute(spins: int, kind: str, temperature: float, strengths: np.ndarray, chosen: int = 0) -> TableState:
    """Enumerate p(x) ~ exp(score(x) / temperature), score(x) = sum_i b_i x_i + sum_{i<j} W_ij x_i x_j."""
    x = all_states(spins, kind)
    first, second = np.triu_indices(spins, 1)
    scores = x @ strengths[:spins] + (x[:, first] * x[:, second]) @ strengths[spins:]
    top = scores.max()
    weights = np.exp((scores - top) / temperature)
    log_partition = float(top / temperature + np.log(weights.sum()))
    p = weights / weights.sum()
    flips = np.arange(2**spins)[:, None] ^ (1 << np.arange(spins))  # the states that differ in one variable
    modes = (scores[:, None] > scores[flips] + 1e-9).all(1)
    return TableState(kind, temperature, strengths, chosen, scores, p, log_partition, modes, p @ (x == 1))


class EnergyTable(Explorer):
    """Energy table: choose a factor, drag its strength, and watch energies, probabilities and log Z follow.

    Args:
        spins: number of variables, 2 to 4.
        states: "{0, 1}" or "{-1, +1}".
        factor, temperature: where the controls stand first.
        strengths: name of a factor -> its strength in nats; 0 for those that are not named.
    """

    title = "Energy table"
    caption = (
        "Left, the factor graph: circles are variables (<b>brighter</b>: more often up), squares are factors "
        "(<b style='color:#7b5ba6'>purple</b> positive, <b style='color:#c8761a'>orange</b> negative); the one you drag "
        "has a thick frame. Right, every state there is. Black bars are <b>modes</b>: any single change makes them "
        "less likely."
    )

    def __init__(self, spins=4, states="{-1, +1}", factor="W12", temperature=1.0, strengths=None):
        if spins not in (2, 3, 4):
            raise ValueError(f"spins: expected 2, 3 or 4, got {spins!r}; more states would not fit the picture")
        kind, names, given = states.replace("-", "−"), factor_names(spins), strengths or {}
        if kind not in KINDS:
            raise ValueError(f"states: expected '{{0, 1}}' or '{{-1, +1}}', got {states!r}")
        for name, value in {factor: 0.0, **given}.items():
            if name not in names:
                raise ValueError(f"strengths: expected names among {', '.join(names)}, got {name!r}")
            if not abs(value) <= MOST:
                raise ValueError(f"strengths: expected {name} from {-MOST:g} to {MOST:g}, got {value!r}")
        self.spins, self._factor = spins, factor
        self._strengths = {name: float(given.get(name, 0.0)) for name in names}
        self._first = kind, temperature
        self._painter = EnergyPainter(spins, names)
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        (kind, temperature), strength = self._first, self._strengths[self._factor]
        return {
            "model": {
                "factor": widgets.Dropdown(options=list(self._strengths), value=self._factor),
                "strength": widgets.FloatSlider(value=strength, min=-MOST, max=MOST, step=0.05),
                "states": widgets.Dropdown(options=list(KINDS), value=kind),
            },
            "heat": {
                "temperature": widgets.FloatSlider(value=temperature, min=0.2, max=4.0, step=0.05),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH, HEIGHT)

    def params(self) -> dict[str, Any]:
        """The values of the controls, and the strengths of all factors. Another factor brings its own strength."""
        values = super().params()
        if values["factor"] != self._factor:
            self._factor = values["factor"]
            self.controls["strength"].value = values["strength"] = self._strengths[self._factor]
        self._strengths[self._factor] = values["strength"]
        return {**values, "strengths": dict(self._strengths)}

    def compute(self, params) -> TableState:
        strengths = np.array(list(params["strengths"].values()))
        chosen = list(params["strengths"]).index(params["factor"])
        return compute(self.spins, params["states"], params["temperature"], strengths, chosen)

    def paint(self, state: TableState) -> bytes:
        return self._painter.paint(state)

    def describe(self, state: TableState) -> str:
        best, many = int(state.probabilities.argmax()), int(state.modes.sum())
        x = " ".join(str(value).replace("-", "−") for value in all_states(self.spins, state.kind)[best])
        modes = {0: "no mode", 1: "1 mode"}.get(many, f"{many} modes")
        return f"{modes} · most likely ({x}) with {state.probabilities[best]:.3f} · log Z = {state.log_partition:.3f} nats"
