"""The pictures of the one-sample scrubber: the grid with its messages, and the score of the decoded state by sweep."""

from __future__ import annotations

import functools
from collections.abc import Collection

import numpy as np

from ... import plot
from ...plot import graph, labels, layered, parts, strips
from ..page.player import Clip
from ..shared.limits import EXACT_GAP
from .compute import SIDE, State, couplings

WIDTH, HEIGHT = 560, 400
LIMIT = 3.0  # nats: where the colours saturate
CURVE_HEIGHT = 160
HALF, HALF_HEIGHT, HEAD, GAP = 400, 360, 24, 20  # CSS pixels: of two graphs, their names above, and between them
BOTH = 2 * HALF + GAP
UNKNOWN = {"beliefs", "messages"}  # layers: of a reader's sampler only the states are known


@functools.cache
def _drawing(
    side: int, edges: tuple, dashed: tuple, width: int, height: int
) -> tuple[graph.Drawing, np.ndarray, parts.Parts]:
    """Draw a grid with these edges, some of them dashed. The image is the same array each time: it is sent once."""
    row, column = np.divmod(np.arange(side * side), side)
    places = np.stack([column, row], 1) / (side - 1)
    drawing = graph.draw(places, np.array(edges), width, height, dashed)
    return drawing, drawing.image[None], parts.around(drawing, np.array(edges))


def _edges(state: State) -> tuple[tuple, tuple]:
    """Return the edges, and the numbers of those that favour different states."""
    signs = couplings(state.model)
    return tuple(map(tuple, state.edges.tolist())), tuple(np.flatnonzero(signs[signs != 0] < 0).tolist())


def picture(state: State, layers: Collection[str] = graph.LAYERS) -> Clip:
    """Return an animation, one frame for each sweep, over the curve of the score.

    Args:
        state: what is painted; the states of a reader's sampler, if there are any, stand beside those of the library.
        layers: which of `graph.LAYERS` are shown.
    """
    if state.own is not None and state.own_scores is not None:
        return _beside(state, state.own, state.own_scores, layers)
    drawing, image, around = _drawing(SIDE, *_edges(state), WIDTH, HEIGHT)
    colours = graph.palettes(drawing, _values(state), layers, LIMIT)
    return _clip(state, state.scores, image, colours, WIDTH, around)


def _values(state: State) -> graph.Values:
    """Return the library's sample. Of several best configurations, the truth is the one that was found."""
    truth = np.where(state.gaps[:, None] < EXACT_GAP, state.states, state.exact)
    return graph.Values(state.forward, state.backward, state.beliefs, state.noise, state.states, truth)


def _beside(state: State, own: np.ndarray, own_scores: np.ndarray, layers: Collection[str]) -> Clip:
    """Return two graphs: the reader's states at the left and the library's sample at the right, and one curve."""
    image, around = _two(*_edges(state))
    drawing, _, _ = _drawing(SIDE, *_edges(state), HALF, HALF_HEIGHT)
    missing = len(state.states) - len(own)
    values = _values(state)
    scores = np.append(own_scores, np.full(missing, np.nan))
    states = np.concatenate([own, state.states[len(own) :]])
    found = scores[:, None] > state.top - EXACT_GAP
    mine = values._replace(states=states, truth=np.where(found, states, state.exact))
    left = graph.palettes(drawing, mine, set(layers) - UNKNOWN, LIMIT)
    left[len(own) :] = graph.palettes(drawing, mine, {"noise"} & set(layers), LIMIT)[len(own) :]  # no result there
    right = graph.palettes(drawing, values, layers, LIMIT)
    words = np.broadcast_to(labels.writing(), (len(states), labels.SHADES, 3))
    return _clip(state, scores, image, np.concatenate([left, right, words], axis=1), BOTH, around)


@functools.cache
def _two(edges: tuple, dashed: tuple) -> tuple[np.ndarray, parts.Parts]:
    """Draw two graphs below their names; the parts that an equation lights up are those of the right one."""
    drawing, image, around = _drawing(SIDE, edges, dashed, HALF, HALF_HEIGHT)
    canvas = plot.Canvas(BOTH, HEAD, graph.DENSITY)
    for left, words in ((0, "the given sampler"), (HALF + GAP, "the kit")):
        canvas.write(left + 4, HEAD - 8, words)
    first = drawing.colours
    head = labels.shades(canvas.pixels()).astype(np.uint16) + 2 * first
    right, between = image[0].astype(np.uint16) + first, np.zeros((image.shape[1], GAP * graph.DENSITY), np.uint16)
    both = np.hstack([image[0], between, right])  # entry 0 is the paper
    shifted = {name: [entry + first for entry in entries] for name, entries in around.parts.items()}
    at = {name: (BOTH - HALF + x * HALF, HEAD + y * HALF_HEIGHT) for name, (x, y) in around.letters.items()}
    places = {letter: (x / BOTH, y / (HEAD + HALF_HEIGHT)) for letter, (x, y) in at.items()}
    return np.vstack([head, both])[None], parts.Parts(shifted, places)


def _clip(state: State, scores: np.ndarray, image, colours, width: int, around: parts.Parts) -> Clip:
    """Return the clip of an image and the curve of scores, NaN where there is none yet."""
    bottom = min(float(np.nanmin([*scores, *state.scores])), state.top - 1e-3)
    return Clip(
        image,
        colours,
        np.clip((scores - bottom) / (state.top - bottom), 0.0, 1.0),
        curve_top=f"score of the decoded states · black line: the best possible, {state.top:.1f} nats",
        curve_bottom=f"lower line: {round(bottom, 1) + 0.0:.1f} nats · sweeps →",
        first=len(state.scores) - 1,
        width=width,
        best=True,
        **around._asdict(),
    )


def recording(state: State, shown: Collection[str]) -> Clip:
    """Return the animation with layers that a page without a kernel can switch; those of `shown` are shown at first."""
    layers, size = {*shown, *layered.SWITCHED}, (WIDTH, HEIGHT) if state.own is None else (HALF, HALF_HEIGHT)
    drawing, _, _ = _drawing(SIDE, *_edges(state), *size)
    switched = layered.pairs(drawing, layers)
    if state.own is not None:
        left, first = layered.pairs(drawing, layers - UNKNOWN), drawing.colours
        for name, entries in switched.items():
            switched[name] = [*left.get(name, ()), *((entry + first, other + first) for entry, other in entries)]
    return picture(state, layers)._replace(layers=switched, shown=[name for name in switched if name in shown])


def snapshot(state: State, layers: Collection[str]) -> bytes:
    """Return a PNG of the last frame over the curve of the score, for pages without a kernel."""
    clip = picture(state, layers)
    place = 0.12, 0.23, 0.85, 0.58
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), clip.width, CURVE_HEIGHT, place, density=1.25)
    axes.axhline(state.top, color=plot.METHODS["exact"].colour, linewidth=1.2)
    scores = state.scores if state.own_scores is None else state.own_scores
    axes.plot(np.maximum.accumulate(scores), "--", color=plot.INK, linewidth=1.2)
    axes.plot(scores, color=plot.METHODS["PMP"].colour, linewidth=1.6)
    axes.set(xlim=(0, len(state.scores) - 1), xticks=[0, 16, 32, 48, 64])
    words = "perturbed score by sweep, in nats; dashed: best so far; black: best possible"
    axes.text(0, 1.1, words, transform=axes.transAxes, **plot.WRITING)
    return canvas.png()
