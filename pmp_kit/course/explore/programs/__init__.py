"""Relaxation scope: the same noise, four solvers side by side (Section 5.2)."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float

from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from ..shared import spin_glass
from .paint import WIDTH, RelaxationPainter

DRAWS, MOST_SWEEPS = 6, 200
SWEEPS = (0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200)
DECODES = {"paper: zero start, last": ("zero", False), "kit: neutral start, best": ("neutral", True)}


class ScopeState(NamedTuple):
    """Answers to each draw of the noise, spins -1 and +1 or fractions of +1, and scores less the exact MAP's."""

    fractions: Float[np.ndarray, "n draws"]
    mplp: Float[np.ndarray, "n draws"]
    max_product: Float[np.ndarray, "n draws"]
    exact: Float[np.ndarray, "n draws"]
    lp_value: Float[np.ndarray, " draws"]
    dual: Float[np.ndarray, " draws"]
    mplp_score: Float[np.ndarray, " draws"]
    max_product_score: Float[np.ndarray, " draws"]
    mplp_sweeps: int
    """After so many it had stopped."""


@functools.lru_cache(maxsize=32)
def _model(size: int, reach: float, seed: int) -> tuple:
    """All that does not depend on the sweeps: the model, its exact MAP, its LP, and MPLP's path."""
    model = spin_glass.glass(size, reach, DRAWS, seed)
    exact = spin_glass.enumerated(model)[1]
    return model, exact, *spin_glass.relaxed(model), spin_glass.mplp(model, MOST_SWEEPS, seed)


@functools.lru_cache(maxsize=32)
def _spins_seen(size: int, reach: float, seed: int, start: str) -> Float[np.ndarray, "looks n draws"]:
    """The spins that max-product decodes after 0, 1, ... sweeps."""
    return spin_glass.decoded(spin_glass.max_product(_model(size, reach, seed)[0], start, MOST_SWEEPS))


def compute(size: int, reach: float, decode: str, sweeps: int, seed: int) -> ScopeState:
    """Solve every draw four times."""
    model, exact, fractions, lp_value, path = _model(size, reach, seed)
    start, keep_best = DECODES[decode]
    seen = _spins_seen(size, reach, seed, start)[: sweeps + 1]
    scores, best = model.score(seen), model.score(exact)
    chosen = scores.argmax(0) if keep_best else np.full(DRAWS, sweeps)
    draws, look = np.arange(DRAWS), min(sweeps, len(path.beliefs) - 1)
    mplp = spin_glass.decoded(path.beliefs[look])
    return ScopeState(
        fractions=fractions,
        mplp=mplp,
        max_product=seen[chosen, :, draws].T,
        exact=exact,
        lp_value=lp_value - best,
        dual=path.dual[look] - best,
        mplp_score=model.score(mplp) - best,
        max_product_score=scores[chosen, draws] - best,
        mplp_sweeps=len(path.beliefs) - 1,
    )


def found(spins: np.ndarray, exact: np.ndarray) -> int:
    """How many draws have the exact MAP."""
    return int((spins == exact).all(0).sum())


class RelaxationScope(Explorer):
    """Relaxation scope: six draws of noise, and what LP, MPLP, max-product and the exact MAP make of them.

    Args: where the controls stand first; reach is the "coupling range".
    """

    title = "Relaxation scope"
    caption = (
        "Each row is one draw of the noise, each cell a spin: white is down, black is up, <b>grey is one half</b>. Red "
        "dots differ from the exact answer. At the right, each score against the best there is: what lies to the right "
        "of the line is a bound, what lies to the left was found."
    )

    def __init__(self, size=10, reach=2.0, decode="paper: zero start, last", sweeps=200, seed=0):
        self._first = size, reach, decode, sweeps, seed
        self._painter = RelaxationPainter(DRAWS)
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        size, reach, decode, sweeps, seed = self._first
        return {
            "model": {
                "size": widgets.IntSlider(value=size, min=4, max=12),
                "coupling range": widgets.FloatSlider(value=reach, min=0.0, max=2.0, step=0.1),
            },
            "noise": {"seed": widgets.IntSlider(value=seed, min=0, max=20)},
            "solver": {
                "max-product": widgets.Dropdown(options=list(DECODES), value=decode),
                "sweeps": widgets.SelectionSlider(options=SWEEPS, value=sweeps),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> ScopeState:
        reach = round(params["coupling range"], 2)
        return compute(params["size"], reach, params["max-product"], params["sweeps"], params["seed"])

    def paint(self, state: ScopeState) -> Image:
        return self._painter.paint(state)

    def describe(self, state: ScopeState) -> str:
        halves = 100 * (np.abs(state.fractions - 0.5) < 1e-6).mean()
        rates = [found(spins, state.exact) for spins in (state.mplp, state.max_product)]
        return (
            f"LP: {halves:.0f} % halves · exact answers: MPLP {rates[0]}, max-product {rates[1]} of {DRAWS} · mean, "
            f"nats from the best: dual {state.dual.mean():+.1f}, MPLP {state.mplp_score.mean():+.1f}, max-product "
            f"{state.max_product_score.mean():+.1f} · MPLP stops after {state.mplp_sweeps} sweeps"
        )
