"""The pictures of the one-sample scrubber: the grid with its messages, and the score of the decode by sweep."""

from __future__ import annotations

import functools

import numpy as np

from pmp_kit.course import plot

from ...plot import graph as graph_painter
from ..page.player import Clip

WIDTH, HEIGHT = 470, 420
LIMIT = 3.0  # nats: where the colours saturate
MISSED = plot.rgb(plot.METHODS["block Gibbs"].colour)
CURVE_HEIGHT = 110


@functools.cache
def _drawing(side: int, edges: tuple) -> tuple[graph_painter.Drawing, np.ndarray]:
    """A grid with these edges, and its image as a player wants it: the same array every time, sent once."""
    row, column = np.divmod(np.arange(side * side), side)
    places = np.stack([column, row], 1) / (side - 1)
    drawing = graph_painter.draw(places, np.array(edges), WIDTH, HEIGHT)
    return drawing, drawing.image[None]


def picture(state) -> Clip:
    """A SampleState as an animation, one frame a sweep, over the curve of its score."""
    side = round(len(state.perturbed) ** 0.5)
    drawing, image = _drawing(side, tuple(map(tuple, state.edges.tolist())))
    moving = state.forward, state.backward, state.beliefs
    colours = graph_painter.palettes(drawing, *moving, state.perturbed, state.states, LIMIT)
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
    )


def snapshot(state, clip: Clip) -> bytes:
    """The last frame over the curve of the score, for pages without a kernel."""
    canvas, share = clip.still(CURVE_HEIGHT, density=1.0)
    axes = canvas.axes(0.12, 0.34 * share, 0.85, 0.54 * share)
    axes.axhline(state.top, color=plot.METHODS["exact"].colour, linewidth=1.2)
    axes.plot(np.maximum.accumulate(state.scores), "--", color=plot.INK, linewidth=1.2)
    axes.plot(state.scores, color=plot.METHODS["PMP"].colour, linewidth=1.6)
    axes.set(xlim=(0, len(state.scores) - 1), xticks=[0, 16, 32, 48, 64])
    words = "score in nats by sweep: decode, best so far (dashed), the best there is (black)"
    axes.text(0, 1.12, words, transform=axes.transAxes, fontsize=10, color=plot.INK)
    return canvas.png()
