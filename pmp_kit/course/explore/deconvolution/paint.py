"""The pictures of the deconvolution studio: beliefs of the features, and images with what is drawn of them."""

from __future__ import annotations

import functools

import numpy as np
from jaxtyping import Bool, UInt8

from ... import plot
from ...experiments.deconvolution import traces
from ...plot import labels, strips
from ..page.player import Clip
from .compute import State

WIDTH, HEIGHT, DENSITY = 524, 320, 1.5  # on the page, and image pixels for a pixel of the page: 1 blurs the words
WORDS = labels.SHADES
INK, PAPER, MISSED, WRONG, FREE_INK, FREE_PAPER, EDGE = range(WORDS, WORDS + 7)
COLOURS = ("#E69F00", "#009E73", "#CC79A7", "#6A5ACD")  # of the four features, not of what they draw
FEATURE = EDGE + 1
BELIEFS, SHADES = FEATURE + len(COLOURS), 64
CELL, PIXEL, GAP, BORDER, NARROW = 30, 8, 15, 4, 9  # all sizes are in image pixels
ACROSS, PITCH = 8, traces.WINDOW * CELL + GAP
FEATURES_AT, IMAGES_AT = 60, 303
LARGE, LINE = 21, 3  # of the first image: a pixel, and the width of an outline
SIDE = LARGE * (traces.PLACES + traces.WINDOW - 1)  # of the first image
LARGE_AT = round(WIDTH * DENSITY) - GAP - SIDE
SIZE = 10  # of the words in pixels of the page: the picture is narrow, so it is shown larger
NOTHING = "no feature is placed here"  # below the first image where it has no outlines, for example before a sweep
LOWEST = 0.5  # of the curve: share of pixels that are right


@functools.cache
def palette() -> np.ndarray:
    """Return the colours: of the writing, of the states of pixels, of beliefs from orange to purple."""
    colours = ["#000000", "#FFFFFF", plot.METHODS["data"].colour, plot.WRONG]
    pixels = [plot.rgb(colour) for colour in (*colours, "#8A8A8A", "#E4E4E4", plot.FAINT)]
    beliefs, features = plot.diverging(np.linspace(-1, 1, SHADES), 1.0), [plot.rgb(colour) for colour in COLOURS]
    return np.concatenate([labels.writing(), pixels, features, beliefs]).astype(np.uint8)[None]


@functools.cache
def ground() -> np.ndarray:
    """Draw the writing, once for all pictures."""
    canvas = plot.Canvas(WIDTH, HEIGHT, DENSITY)
    left, large, features, images = (place / DENSITY for place in (GAP, LARGE_AT, FEATURES_AT, IMAGES_AT))
    canvas.write(left, features - 26, "features W, as believed", fontsize=SIZE)
    canvas.write(large, features - 26, "image 1, and what", fontsize=SIZE)
    canvas.write(large, features - 10, "each feature draws", fontsize=SIZE)
    canvas.write(left, images - 7, "images X, as drawn by W and S", fontsize=SIZE)
    return labels.shades(canvas.pixels())


def picture(state: State) -> Clip:
    """Return the run as an animation over the curve of the share of pixels that are right."""
    frames = np.repeat(ground()[None], len(state.drawn), axis=0)
    shades = BELIEFS + np.round((state.beliefs + 1) / 2 * (SHADES - 1)).astype(np.uint8)
    for k in range(shades.shape[1]):
        left = GAP + k * PITCH
        _paste(frames, shades[:, k], CELL, FEATURES_AT, left, FEATURE + k, BORDER)
        for frame, kinds in zip(frames, state.kinds, strict=True):
            _write(frame, f"{k + 1}: {kinds[k]}", FEATURES_AT - BORDER - 2, left)
    for row in np.flatnonzero(~state.covered[:, 0].any((1, 2, 3))):
        _write(frames[row], NOTHING, FEATURES_AT + SIDE + 24, LARGE_AT)
    ink = np.broadcast_to(state.images, state.drawn.shape)
    shown = np.where(state.drawn, np.where(ink, INK, WRONG), np.where(ink, MISSED, PAPER)).astype(np.uint8)
    shown[:, state.given :] = np.where(state.drawn[:, state.given :], FREE_INK, FREE_PAPER)
    _paste(frames, shown[:, 0], LARGE, FEATURES_AT, LARGE_AT)
    _outline(frames, state.covered[:, 0])
    side = PIXEL * state.images.shape[1] + NARROW
    for n in range(len(state.images)):
        _paste(frames, shown[:, n], PIXEL, IMAGES_AT + n // ACROSS * side, GAP + n % ACROSS * side)
    curve = np.clip((state.right - LOWEST) / (1 - LOWEST), 0, 1)
    top = f"{100 * state.right[-1]:.1f} % of the pixels right at the end · upper line: 100 %"
    below = f"lower line: {100 * LOWEST:.0f} % · a frame every {traces.EVERY} sweeps →"
    return Clip(frames, palette(), curve, curve_top=top, curve_bottom=below, first=state.row, width=WIDTH)


@functools.cache
def _words(text: str) -> UInt8[np.ndarray, "height width"]:
    """Draw words as entries of the palette."""
    return labels.shades(labels.words(text, SIZE, plot.INK, DENSITY))


def _write(frame, text: str, bottom: int, left: int) -> None:
    """Write into a frame, above a row of image pixels."""
    words = _words(text)
    frame[bottom - len(words) : bottom, left : left + words.shape[1]] = words


def _paste(frames, cells, size: int, top: int, left: int, colour: int = EDGE, border: int = 1) -> None:
    """Put cells (T, h, w) into the frames, each as a square, in a border of a colour."""
    large = cells.repeat(size, axis=1).repeat(size, axis=2)
    height, width = large.shape[1:]
    frames[:, top - border : top + height + border, left - border : left + width + border] = colour
    frames[:, top : top + height, left : left + width] = large


def _outline(frames, covered: Bool[np.ndarray, "rows features H W"]) -> None:
    """Outline what each feature draws on the first image in its colour, each feature further inside than the last."""
    image = frames[:, FEATURES_AT : FEATURES_AT + SIDE, LARGE_AT : LARGE_AT + SIDE]
    rows, _, height, width = covered.shape
    cells = image.reshape(rows, height, LARGE, width, LARGE).transpose(0, 1, 3, 2, 4)  # a view
    around = np.pad(covered, ((0, 0), (0, 0), (1, 1), (1, 1)))
    beside = around[..., :-2, 1:-1], around[..., 2:, 1:-1], around[..., 1:-1, :-2], around[..., 1:-1, 2:]
    outer = np.sum([(covered & ~side) << bit for bit, side in enumerate(beside)], axis=0)
    for k in range(covered.shape[1]):
        at = np.nonzero(outer[:, k])
        cells[at] = np.where(_lines()[k][outer[:, k][at]], FEATURE + k, cells[at])


@functools.cache
def _lines() -> Bool[np.ndarray, "features sides LARGE LARGE"]:
    """Return the pixels of a cell on each feature's line, by the sides of the cell that are at an edge (in binary)."""
    from_start = np.arange(LARGE)
    from_end = from_start[::-1]
    depths = np.stack(np.broadcast_arrays(from_start[:, None], from_end[:, None], from_start, from_end))
    at_edge = (np.arange(16)[:, None] >> np.arange(4) & 1)[..., None, None] == 1
    nearest = np.where(at_edge, depths, LARGE).min(1)
    return nearest // LINE == np.arange(len(COLOURS))[:, None, None, None]


def snapshot(clip: Clip) -> bytes:
    """Return a PNG of the frame that is shown first, over the curve, for pages without a kernel."""
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, 100, (0.09, 0.34, 0.88, 0.42), DENSITY)
    sweeps = traces.EVERY * np.arange(clip.length)
    axes.plot(sweeps, LOWEST + (1 - LOWEST) * clip.curve, color=plot.METHODS["PMP"].colour)
    axes.set(xlim=(0, sweeps[-1]), ylim=(LOWEST, 1.02), yticks=[LOWEST, 1])
    axes.text(0, 1.1, "share of pixels right, by sweep", transform=axes.transAxes, **plot.WRITING)
    return canvas.png()
