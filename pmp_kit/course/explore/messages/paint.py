"""The picture of the message scope: an animation of the graph over the curve of the residual, and its last frame."""

from __future__ import annotations

import functools

import numpy as np

from pmp_kit.course import plot

from ...plot import graph as graph_painter
from ..page.player import Clip
from .compute import SWEEPS, ScopeState
from .graphs import TOPOLOGIES

LIMIT = 3.0  # nats: where the colours saturate
WIDTH, HEIGHT = 460, 330
CURVE = (-4.0, 1.0)  # the residual's scale, as powers of ten


@functools.cache
def _drawing(topology: str) -> graph_painter.Drawing:
    places, edges = TOPOLOGIES[topology]
    return graph_painter.draw(places, edges, WIDTH, HEIGHT)


@functools.cache
def _image(topology: str) -> np.ndarray:
    """The same array every time: a player does not send it twice."""
    return _drawing(topology).image[None]


def picture(state: ScopeState) -> Clip:
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


def snapshot(clip: Clip) -> bytes:
    """The last frame over the curve of the residual, for pages without a kernel."""
    canvas, share = clip.still(90)
    curve = canvas.axes(0.11, 0.42 * share, 0.86, 0.5 * share)
    low, high = CURVE
    curve.semilogy(10.0 ** (low + (high - low) * np.asarray(clip.curve)), color=plot.METHODS["PMP"].colour)
    curve.set(ylim=(10.0**low, 10.0**high), xlim=(0, SWEEPS), yticks=[1e-4, 1e1], xticks=[0, SWEEPS // 2, SWEEPS])
    curve.minorticks_off()
    curve.text(SWEEPS, 10.0**high, "residual (nats) by sweep", ha="right", va="top", fontsize=11, color=plot.INK)
    return canvas.png()
