"""The picture of the message scope: an animation of the graph over the curve of the residual, and its last frame.

Disks, rings and arrows, with their sizes and colours, are those of all graphs: see `plot.graph`.
"""

from __future__ import annotations

import functools
from collections.abc import Collection

import numpy as np

from ... import plot
from ...plot import graph, layered, parts, strips
from ..page.player import Clip
from .compute import SWEEPS, State
from .topologies import TOPOLOGIES

LIMIT = 3.0  # nats: where the colours saturate
WIDTH, HEIGHT = 560, 370
CURVE = (-4.0, 1.0)  # the residual's scale, as powers of ten


@functools.cache
def _drawing(topology: str) -> graph.Drawing:
    places, edges = TOPOLOGIES[topology]
    return graph.draw(places, edges, WIDTH, HEIGHT)


@functools.cache
def _parts(topology: str) -> parts.Parts:
    return parts.around(_drawing(topology), TOPOLOGIES[topology].edges)


@functools.cache
def _image(topology: str) -> np.ndarray:
    """Return the same array every time, so that a player sends it once."""
    return _drawing(topology).image[None]


def picture(state: State, layers: Collection[str] = graph.LAYERS) -> Clip:
    """Return the run as an animation, one frame for each sweep, over the curve of the residual.

    Args:
        state: what is painted.
        layers: which of `graph.LAYERS` are shown.
    """
    places, edges = TOPOLOGIES[state.topology]
    used, (source, target) = len(places), edges.T
    values = graph.Values(
        state.messages[:, source, target],
        state.messages[:, target, source],
        state.beliefs[:, :used],
        state.noise[:used],
        state.states[:, :used],
        state.truth[:, :used],
    )
    colours = graph.palettes(_drawing(state.topology), values, layers, LIMIT)
    low, high = CURVE
    heights = np.clip((np.log10(np.maximum(state.residuals, 1e-30)) - low) / (high - low), 0.0, 1.0)
    return Clip(
        _image(state.topology),
        colours,
        heights,
        curve_top="residual, on a log scale · upper line: 10 nats",
        curve_bottom="lower line: 0.0001 nats · sweeps →",
        first=SWEEPS,
        width=WIDTH,
        **_parts(state.topology)._asdict(),
    )


def recording(state: State, shown: Collection[str]) -> Clip:
    """Return the animation with layers that a page without a kernel can switch; those of `shown` are shown at first."""
    layers = {*shown, *layered.SWITCHED}
    switched = layered.pairs(_drawing(state.topology), layers)
    return picture(state, layers)._replace(layers=switched, shown=[name for name in switched if name in shown])


def snapshot(state: State, layers: Collection[str]) -> bytes:
    """Return a PNG of the last frame over the curve of the residual, for pages without a kernel."""
    clip = picture(state, layers)
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, 105, (0.11, 0.34, 0.86, 0.42))
    low, high = CURVE
    axes.semilogy(10.0 ** (low + (high - low) * np.asarray(clip.curve)), color=plot.METHODS["PMP"].colour)
    axes.set(ylim=(10.0**low, 10.0**high), xlim=(0, SWEEPS), yticks=[1e-4, 1e1], xticks=[0, SWEEPS // 2, SWEEPS])
    axes.minorticks_off()
    axes.text(0, 1.12, "residual (nats) by sweep", transform=axes.transAxes, **plot.WRITING)
    return canvas.png()
