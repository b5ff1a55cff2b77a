"""Message scope: watch the messages of max-product settle, or not, on a small graph whose answer is known."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import ipywidgets as widgets
import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk
from pmp_kit import plot

from . import graph_painter
from .comparing import ComparingExplorer
from .player import Clip, Player
from .topologies import NODES, TOPOLOGIES

SWEEPS = 64
LIMIT = 3.0  # nats: where the colours saturate
SETTLED = 1e-3  # nats: a residual below counts as converged
LONGEST_PERIOD = 12  # sweeps, of an oscillation that is recognised
WIDTH, HEIGHT = 460, 330
CURVE = (-4.0, 1.0)  # the residual's scale, as powers of ten
VARIABLES = pk.Variables(x=pk.Binary(NODES))


class ScopeState(NamedTuple):
    """One run of max-product. T = SWEEPS + 1 rows; row 0 is the start. n = 9 variables, of which some are used."""

    topology: str
    messages: Float[np.ndarray, "T n n"]
    """[t, i, j]: the push from i to j in nats, 0 where the message favours neither state."""
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1."""
    states: Int[np.ndarray, "T n"]
    residuals: Float[np.ndarray, " T"]
    """Largest change that the next sweep asks for, in nats."""
    exact: Float[np.ndarray, " n"]
    """Best score with x_i = 1 minus best score with x_i = 0, by enumeration."""
    gaps: Float[np.ndarray, " T"]
    """Best score minus the score of the decoded states."""
    seed: int

    @property
    def sweeps(self) -> int | None:
        """Sweeps until the messages stood still; None if they never did."""
        moving = np.flatnonzero(self.residuals >= SETTLED)
        settled = 0 if moving.size == 0 else int(moving[-1]) + 1
        return settled if settled <= SWEEPS else None

    @property
    def period(self) -> int | None:
        """Sweeps after which moving messages come back to where they were; None if they do not."""
        last = self.messages[-1]
        for back in range(2, LONGEST_PERIOD + 1):
            if self.sweeps is None and np.abs(last - self.messages[-1 - back]).max() < SETTLED:
                return back
        return None


def ising(topology: str, coupling: float) -> pk.FactorGraph:
    """Spins s with score coupling * sum over edges of s_i s_j, in {0,1}: w = 4 coupling, b = -2 coupling degree."""
    adjacency = TOPOLOGIES[topology].adjacency
    factor = pk.DensePairwise(VARIABLES["x"], 4.0 * coupling * adjacency)
    return pk.FactorGraph(VARIABLES, [factor], {"x": -2.0 * coupling * adjacency.sum(0)})


def observe(view):
    """What the scope records of every sweep."""
    (factor,), (messages,) = view.graph.factors, view.messages
    look = (pk.observe.beliefs, pk.observe.states, pk.observe.residual)
    return (factor.matrix(messages), *(record(view) for record in look), view.unaries[0])


@functools.cache
def _all_states() -> np.ndarray:
    return np.asarray(pk.exact.states(VARIABLES)["x"])


def enumerate_states(weight: np.ndarray, log_odds: np.ndarray, decoded: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Max-marginals (n,) of the model and the gaps (T,) of decoded states (T, n), by going through all 512 states."""
    states = _all_states()
    scores = 0.5 * np.einsum("mi,ij,mj->m", states, weight, states, optimize=True) + states @ log_odds
    one = np.where(states == 1, scores[:, None], -np.inf).max(0)
    zero = np.where(states == 0, scores[:, None], -np.inf).max(0)
    index = decoded @ (2 ** np.arange(NODES - 1, -1, -1))
    return one - zero, scores.max() - scores[index]


def compute(topology: str, coupling: float, perturbation: float, damping: float, start: str, seed: int) -> ScopeState:
    """Run SWEEPS sweeps of max-product on one model, perturbed by Gumbel noise of scale `perturbation`."""
    graph = ising(topology, coupling)
    sampler = pk.PMP(damping=damping, start=start, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    history = pk.trace(jax.random.key(seed), graph, sampler, num_sweeps=SWEEPS, observe=observe)
    messages, beliefs, states, residuals, log_odds = jax.tree.map(lambda value: value[:, 0], history.values)
    weight = 4.0 * coupling * TOPOLOGIES[topology].adjacency
    exact, gaps = enumerate_states(weight, log_odds[0], states)
    push = messages.swapaxes(1, 2) - 0.5 * weight  # the kit stores [to, from]; w / 2 favours neither state
    return ScopeState(topology, push, beliefs, states, residuals, exact, gaps, seed)


@functools.cache
def _drawing(topology: str) -> graph_painter.Drawing:
    places, edges = TOPOLOGIES[topology]
    return graph_painter.draw(places, edges, WIDTH, HEIGHT)


@functools.cache
def _image(topology: str) -> np.ndarray:
    """The same array every time: a player does not send it twice."""
    return _drawing(topology).image[None]


def paint(state: ScopeState) -> Clip:
    """The run as an animation, one frame a sweep, over the curve of its residual."""
    places, edges = TOPOLOGIES[state.topology]
    used, (source, target) = len(places), edges.T
    colours = graph_painter.palettes(
        _drawing(state.topology),
        state.messages[:, source, target],
        state.messages[:, target, source],
        state.beliefs[:, :used],
        state.exact[:used],
        state.states[:, :used],
        LIMIT,
    )
    low, high = CURVE
    heights = np.clip((np.log10(np.maximum(state.residuals, 1e-30)) - low) / (high - low), 0.0, 1.0)
    return Clip(
        _image(state.topology),
        colours,
        heights,
        curve_top="residual 10 nats",
        curve_bottom="0.0001 nats · sweeps →",
        first=SWEEPS,
        width=WIDTH,
    )


class MessageScope(ComparingExplorer):
    """Message scope: scrub and play the messages of max-product on a chain, a tree, a triangle, a cycle or a grid.

    Args:
        topology, coupling, perturbation, damping, start: where the controls stand first.
        seed: of the noise; `perturbation` only scales it.
    """

    title = "Message scope"
    caption = (
        "Arrows are messages, disks are beliefs: <b style='color:#7b5ba6'>purple</b> pushes to 1, "
        "<b style='color:#c8761a'>orange</b> to 0, white not at all. The dot is the decoded state (black 1, white 0), "
        "the ring the exact answer. Play, or drag along the curve."
    )

    def __init__(self, topology="triangle", coupling=-1.0, perturbation=1.0, damping=0.5, start="neutral", seed=1):
        self._first = {"topology": topology, "coupling": coupling, "perturbation": perturbation}
        self._first |= {"damping": damping, "start": start}
        self.seed = seed
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "topology": widgets.Dropdown(options=list(TOPOLOGIES), value=first["topology"]),
                "coupling": widgets.FloatSlider(value=first["coupling"], min=-1.5, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.FloatSlider(value=first["perturbation"], min=0.0, max=2.0, step=0.05),
            },
            "solver": {
                "damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05),
                "start": widgets.Dropdown(options=["neutral", "zero"], value=first["start"]),
            },
        }

    def make_picture(self) -> Player:
        return Player("messages of max-product on a graph")

    def compute(self, params) -> ScopeState:
        return compute(**params, seed=self.seed)

    def paint(self, state: ScopeState) -> Clip:
        return paint(state)

    def sweeps(self, state: ScopeState) -> float:
        return SWEEPS

    def describe(self, state: ScopeState) -> str:
        if state.sweeps is not None:
            outcome = f"converged after {state.sweeps} sweeps"
        elif state.period is not None:
            outcome = f"oscillating with period {state.period}"
        else:
            outcome = f"not converged in {SWEEPS} sweeps (residual {state.residuals[-1]:.2g} nats)"
        gap = float(state.gaps[-1])
        answer = "decodes the exact MAP" if gap < 1e-4 else f"decoded states {gap:.2f} nats below the exact MAP"
        return f"{outcome} · {answer} · seed {state.seed}"

    def snapshot(self) -> bytes:
        return snapshot(paint(self.state))


def snapshot(clip: Clip) -> bytes:
    """The last frame over the curve of the residual, for pages without a kernel."""
    canvas = plot.Canvas(WIDTH, HEIGHT + 90)
    share = 90 / (HEIGHT + 90)
    graph = canvas.figure.add_axes((0, share, 1, 1 - share))
    graph.axis("off")
    graph.imshow(clip.pixels(clip.first), interpolation="antialiased")
    curve = canvas.axes(0.11, 0.42 * share, 0.86, 0.5 * share)
    low, high = CURVE
    curve.semilogy(10.0 ** (low + (high - low) * np.asarray(clip.curve)), color=plot.METHODS["PMP"].colour)
    curve.set(ylim=(10.0**low, 10.0**high), xlim=(0, SWEEPS), yticks=[1e-4, 1e1], xticks=[0, SWEEPS // 2, SWEEPS])
    curve.minorticks_off()
    curve.text(SWEEPS, 10.0**high, "residual (nats) by sweep", ha="right", va="top", fontsize=11, color=plot.INK)
    return canvas.png()
