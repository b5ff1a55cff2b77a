"""One-sample scrubber: a single sample of PMP from its first sweep to its last, beside the exact answer (Algorithm 1)."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import ipywidgets as widgets
import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from . import grid
from .explorer import Explorer
from .one_sample_painter import paint, snapshot
from .player import Clip, Player

SIDE, SWEEPS = 5, 64
MODELS = ("chain", "lattice", "spin glass")


class SampleState(NamedTuple):
    """One perturbed model, and max-product on it. T = SWEEPS + 1 rows; row 0 is before the first sweep."""

    model: str
    edges: Int[np.ndarray, "E 2"]
    """Pairs that are coupled."""
    perturbed: Float[np.ndarray, " n"]
    """Perturbed unaries: log-odds of state 1, noise and all."""
    forward: Float[np.ndarray, "T E"]
    """The push from the first variable of a pair to the second, in nats; 0 favours neither state."""
    backward: Float[np.ndarray, "T E"]
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1: perturbed unaries plus messages."""
    states: Int[np.ndarray, "T n"]
    """What would be returned if the sweeps ended here."""
    scores: Float[np.ndarray, " T"]
    """Their scores in the perturbed model, in nats."""
    exact: Int[np.ndarray, " n"]
    """The best states of the perturbed model, found row by row."""
    top: float
    """Their score."""
    seed: int

    @property
    def gaps(self) -> Float[np.ndarray, " T"]:
        """How far each decode is below the best score, in nats."""
        return np.maximum(self.top - self.scores, 0.0)


@functools.cache
def couplings(model: str) -> Float[np.ndarray, " E"]:
    """The sign of each edge of the 5 x 5 grid; 0 where the model has none."""
    if model == "spin glass":
        return grid.random_signs(SIDE, seed=4)
    return grid.snake(SIDE)[1].astype(float) if model == "chain" else np.ones(len(grid.pairs(SIDE)))


def observe(view):
    """What the scrubber records of every sweep."""
    look = (pk.observe.messages, pk.observe.beliefs, pk.observe.states)
    return (*(record(view) for record in look), view.unaries[0])


def compute(model: str, coupling: float, perturbation: float, damping: float, seed: int) -> SampleState:
    """Draw the noise, run SWEEPS sweeps of max-product, and solve the same perturbed model exactly."""
    spins = grid.spins(SIDE, coupling * couplings(model))
    sampler = pk.PMP(damping=damping, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    history = pk.trace(jax.random.key(seed), spins.graph(), sampler, num_sweeps=SWEEPS, observe=observe)
    values = jax.tree.map(lambda value: value[:, 0].astype(float), history.values)
    ((to_first, to_second),), beliefs, decoded, unaries = values
    problem, states = spins._replace(log_odds=unaries[0]), decoded.astype(int)
    exact, top = grid.best(problem)
    used, neutral = couplings(model) != 0, 0.5 * spins.weight  # the message that favours neither state
    pushes = (to_second - neutral)[:, used], (to_first - neutral)[:, used]
    edges = grid.pairs(SIDE)[used]
    return SampleState(model, edges, unaries[0], *pushes, beliefs, states, problem.score(states), exact, top, seed)


class OneSample(Explorer):
    """One-sample scrubber: follow one sample of PMP through its sweeps.

    Args:
        model, coupling, perturbation, damping, seed: where the controls stand first.
    """

    title = "One sample"
    caption = (
        "Rings: the perturbed unaries, what each variable would like by itself. Arrows: messages. Disks: beliefs. "
        "<b style='color:#7b5ba6'>Purple</b> is for 1, <b style='color:#c8761a'>orange</b> for 0. Dots: the decode, "
        "black 1, white 0, <b style='color:#D55E00'>red</b> where the best configuration has the other state. The "
        "curve is the score of the decode, dashed the best so far."
    )

    def __init__(self, model="chain", coupling=0.8, perturbation=1.0, damping=0.5, seed=0):
        self._first = {"coupling": coupling, "perturbation": perturbation, "damping": damping}
        self._model, self._seed = model, seed
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "model": widgets.Dropdown(options=MODELS, value=self._model),
                "coupling": widgets.FloatSlider(value=first["coupling"], min=0.0, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.FloatSlider(value=first["perturbation"], min=0.0, max=2.0, step=0.05),
                "seed": widgets.IntSlider(value=self._seed, min=0, max=50),
            },
            "solver": {"damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05)},
        }

    def make_picture(self) -> Player:
        return Player("one sample of PMP, its messages and beliefs")

    def compute(self, params) -> SampleState:
        return compute(**params)

    def paint(self, state: SampleState) -> Clip:
        return paint(state)

    def sweeps(self, state: SampleState) -> float:
        return SWEEPS

    def describe(self, state: SampleState) -> str:
        found = np.flatnonzero(state.gaps < 1e-3)
        best = "exact" if len(found) else f"{state.gaps.min():.2f} nats short"
        first = f", first at sweep {found[0]}" if len(found) else ""
        last = "exact" if state.gaps[-1] < 1e-3 else f"{state.gaps[-1]:.2f} nats short"
        return f"best decode {best}{first} · last decode {last} · best score {state.top:.2f} nats · seed {state.seed}"

    def snapshot(self) -> bytes:
        return snapshot(self.state, paint(self.state))
