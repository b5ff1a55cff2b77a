"""The pictures of the one-sample scrubber: the grid with its messages, and the score of the decoded state by sweep."""

from __future__ import annotations

import functools

import numpy as np

from ... import plot
from ...plot import graph, parts, strips
from ..page.player import Clip
from .compute import State

WIDTH, HEIGHT = 470, 420
LIMIT = 3.0  # nats: where the colours saturate
MISSED = plot.rgb(plot.METHODS["block Gibbs"].colour)
CURVE_HEIGHT = 110


@functools.cache
def _drawing(side: int, edges: tuple) -> tuple[graph.Drawing, np.ndarray, parts.Parts]:
    """Draw a grid with these edges. The image is the same array every time, so that a player sends it once."""
    row, column = np.divmod(np.arange(side * side), side)
    places = np.stack([column, row], 1) / (side - 1)
    drawing = graph.draw(places, np.array(edges), WIDTH, HEIGHT)
    return drawing, drawing.image[None], parts.around(drawing, np.array(edges))


def picture(state: State) -> Clip:
    """Return an animation, one frame for each sweep, over the curve of the score."""
    side = round(len(state.perturbed) ** 0.5)
    drawing, image, around = _drawing(side, tuple(map(tuple, state.edges.tolist())))
    moving = state.forward, state.backward, state.beliefs
    colours = graph.palettes(drawing, *moving, state.perturbed, state.states, LIMIT)
    dots = colours[:, -drawing.nodes :]
    dots[state.states != state.exact] = MISSED
    bottom = min(float(state.scores.min()), state.top - 1e-3)
    heights = (state.scores - bottom) / (state.top - bottom)
    return Clip(
        image,
        colours,
        np.clip(heights, 0.0, 1.0),
        curve_top=f"score of the decode · top: the best there is, {state.top:.1f} nats",
        curve_bottom=f"{bottom:.1f} nats · sweeps →",
        first=len(state.scores) - 1,
        width=WIDTH,
        best=True,
        **around._asdict(),
    )


def snapshot(state: State) -> bytes:
    """Return a PNG of the last frame over the curve of the score, for pages without a kernel."""
    clip = picture(state)
    place = 0.12, 0.34, 0.85, 0.54
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, CURVE_HEIGHT, place, density=1.0)
    axes.axhline(state.top, color=plot.METHODS["exact"].colour, linewidth=1.2)
    axes.plot(np.maximum.accumulate(state.scores), "--", color=plot.INK, linewidth=1.2)
    axes.plot(state.scores, color=plot.METHODS["PMP"].colour, linewidth=1.6)
    axes.set(xlim=(0, len(state.scores) - 1), xticks=[0, 16, 32, 48, 64])
    words = "score in nats by sweep: decode, best so far (dashed), the best there is (black)"
    axes.text(0, 1.12, words, transform=axes.transAxes, fontsize=10, color=plot.INK)
    return canvas.png()
