"""The pictures of the one-sample scrubber: the grid with its messages, and the score of the decoded state by sweep."""

from __future__ import annotations

import functools
from collections.abc import Collection

import numpy as np

from ... import plot
from ...plot import graph, layered, parts, strips
from ..page.player import Clip
from .compute import State

WIDTH, HEIGHT = 560, 400
LIMIT = 3.0  # nats: where the colours saturate
TIE = 1e-3  # nats: a score that is closer to the best one is the best one
CURVE_HEIGHT = 130
UNKNOWN = {"beliefs", "messages"}  # layers: of a reader's sampler only the states are known


@functools.cache
def _drawing(side: int, edges: tuple) -> tuple[graph.Drawing, np.ndarray, parts.Parts]:
    """Draw a grid with these edges. The image is the same array every time, so that a player sends it once."""
    row, column = np.divmod(np.arange(side * side), side)
    places = np.stack([column, row], 1) / (side - 1)
    drawing = graph.draw(places, np.array(edges), WIDTH, HEIGHT)
    return drawing, drawing.image[None], parts.around(drawing, np.array(edges))


def _drawn(state: State) -> tuple[graph.Drawing, np.ndarray, parts.Parts]:
    """Return the drawing of the grid of a state."""
    return _drawing(round(len(state.noise) ** 0.5), tuple(map(tuple, state.edges.tolist())))


def picture(state: State, layers: Collection[str] = graph.LAYERS) -> Clip:
    """Return an animation, one frame for each sweep, over the curve of the score.

    Args:
        state: what is painted.
        layers: which of `graph.LAYERS` are shown.
    """
    drawing, image, around = _drawn(state)
    truth = np.where(state.gaps[:, None] < TIE, state.states, state.exact)  # of several best ones, the one found
    heights = state.scores
    states, layers = state.states, set(layers)
    if state.own is not None and state.own_scores is not None:
        done, layers = len(state.own), layers - UNKNOWN
        states = np.concatenate([state.own, np.repeat(state.states[:1], len(states) - done, axis=0)])
        heights = np.append(state.own_scores, np.full(len(states) - done, np.nan))
        truth = np.broadcast_to(state.exact, states.shape)
    moving = state.forward, state.backward, state.beliefs
    values = graph.Values(*moving, state.noise, states, truth)
    colours = graph.palettes(drawing, values, layers, LIMIT)
    bottom = min(float(np.nanmin([*heights, *state.scores])), state.top - 1e-3)
    heights = (heights - bottom) / (state.top - bottom)
    return Clip(
        image,
        colours,
        np.clip(heights, 0.0, 1.0),
        curve_top=f"score of the decoded states, at most {state.top:.1f} nats",
        curve_bottom=f"{bottom:.1f} nats · sweeps →",
        first=len(state.scores) - 1,
        width=WIDTH,
        best=True,
        **around._asdict(),
    )


def recording(state: State, shown: Collection[str]) -> Clip:
    """Return the animation with layers that a page without a kernel can switch; those of `shown` are shown at first."""
    layers = {*shown, *layered.SWITCHED} - (set() if state.own is None else UNKNOWN)
    switched = layered.pairs(_drawn(state)[0], layers)
    return picture(state, layers)._replace(layers=switched, shown=[name for name in switched if name in shown])


def snapshot(state: State, layers: Collection[str]) -> bytes:
    """Return a PNG of the last frame over the curve of the score, for pages without a kernel."""
    clip = picture(state, layers)
    place = 0.12, 0.28, 0.85, 0.48
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, CURVE_HEIGHT, place, density=1.25)
    axes.axhline(state.top, color=plot.METHODS["exact"].colour, linewidth=1.2)
    axes.plot(np.maximum.accumulate(state.scores), "--", color=plot.INK, linewidth=1.2)
    axes.plot(state.scores, color=plot.METHODS["PMP"].colour, linewidth=1.6)
    axes.set(xlim=(0, len(state.scores) - 1), xticks=[0, 16, 32, 48, 64])
    words = "score in nats by sweep; dashed: best so far; black: the best possible"
    axes.text(0, 1.12, words, transform=axes.transAxes, fontsize=plot.TEXT, color=plot.INK)
    return canvas.png()
