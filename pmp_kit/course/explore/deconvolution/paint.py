"""The pictures of the deconvolution studio: beliefs of the features, and images with what is drawn of them."""

from __future__ import annotations

import functools

import numpy as np
from jaxtyping import Bool

from ... import plot
from ...experiments.deconvolution import traces
from ...plot import labels, strips
from ..page.player import Clip
from .compute import State

WIDTH, HEIGHT, DENSITY = 524, 318, 2  # on the page, and image pixels for a pixel of the page: 1 blurs the words
WORDS = labels.SHADES
INK, PAPER, MISSED, WRONG, FREE_INK, FREE_PAPER, EDGE = range(WORDS, WORDS + 7)
COLOURS = ("#E69F00", "#009E73", "#CC79A7", "#6A5ACD")  # of the four features, not of what they draw
FEATURE = EDGE + 1
BELIEFS, SHADES = FEATURE + len(COLOURS), 64
CELL, PIXEL, GAP, BORDER = 20 * DENSITY, 5 * DENSITY, 10 * DENSITY, 3 * DENSITY  # all sizes are in image pixels
ACROSS, PITCH = 8, traces.WINDOW * CELL + GAP
FEATURES_AT, IMAGES_AT = 40 * DENSITY, 202 * DENSITY
LARGE, LINE = 14 * DENSITY, 2 * DENSITY  # of the first image: a pixel, and the width of an outline
SIDE = LARGE * (traces.PLACES + traces.WINDOW - 1)  # of the first image
LARGE_AT = WIDTH * DENSITY - GAP - SIDE
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
            _write(frame, f"{k + 1}: {kinds[k]}", FEATURES_AT - BORDER - DENSITY, left)
    for row in np.flatnonzero(~state.covered[:, 0].any((1, 2, 3))):
        _write(frames[row], NOTHING, FEATURES_AT + SIDE + 16 * DENSITY, LARGE_AT)
    ink = np.broadcast_to(state.images, state.drawn.shape)
    shown = np.where(state.drawn, np.where(ink, INK, WRONG), np.where(ink, MISSED, PAPER)).astype(np.uint8)
    shown[:, state.given :] = np.where(state.drawn[:, state.given :], FREE_INK, FREE_PAPER)
    _paste(frames, shown[:, 0], LARGE, FEATURES_AT, LARGE_AT)
    _outline(frames, state.covered[:, 0])
    side = PIXEL * state.images.shape[1] + 6 * DENSITY
    for n in range(len(state.images)):
        _paste(frames, shown[:, n], PIXEL, IMAGES_AT + n // ACROSS * side, GAP + n % ACROSS * side)
    curve = np.clip((state.right - LOWEST) / (1 - LOWEST), 0, 1)
    top = f"{100 * state.right[-1]:.1f} % of the pixels right in the end · upper line: 100 %"
    below = f"lower line: {100 * LOWEST:.0f} % · a frame every {traces.EVERY} sweeps →"
    return Clip(frames, palette(), curve, curve_top=top, curve_bottom=below, first=state.row, width=WIDTH)


def _write(frame, text: str, bottom: int, left: int) -> None:
    """Write into a frame, above a row of image pixels."""
    words = labels.shades(labels.words(text, SIZE, plot.INK, DENSITY))
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
    for k in range(covered.shape[1]):
        image[_shrunk(covered[:, k], k * LINE) & ~_shrunk(covered[:, k], (k + 1) * LINE)] = FEATURE + k


def _shrunk(inside: Bool[np.ndarray, "rows H W"], depth: int) -> Bool[np.ndarray, "rows height width"]:
    """Return the picture's pixels of a region that are at least `depth` of them away from its edges."""
    rows, height, width = inside.shape
    padded = np.pad(inside, ((0, 0), (1, 1), (1, 1)))
    above, below, before, after = padded[:, :-2, 1:-1], padded[:, 2:, 1:-1], padded[:, 1:-1, :-2], padded[:, 1:-1, 2:]
    large = np.broadcast_to(inside[:, :, None, :, None], (rows, height, LARGE, width, LARGE)).copy()
    large[:, :, :depth] &= above[:, :, None, :, None]
    large[:, :, LARGE - depth :] &= below[:, :, None, :, None]
    large[..., :depth] &= before[:, :, None, :, None]
    large[..., LARGE - depth :] &= after[:, :, None, :, None]
    return large.reshape(rows, height * LARGE, width * LARGE)


def snapshot(clip: Clip) -> bytes:
    """Return a PNG of the frame that is shown first, over the curve, for pages without a kernel."""
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, 100, (0.09, 0.34, 0.88, 0.42), DENSITY)
    sweeps = traces.EVERY * np.arange(clip.length)
    axes.plot(sweeps, LOWEST + (1 - LOWEST) * clip.curve, color=plot.METHODS["PMP"].colour)
    axes.set(xlim=(0, sweeps[-1]), ylim=(LOWEST, 1.02), yticks=[LOWEST, 1])
    axes.text(0, 1.1, "share of pixels right, by sweep", transform=axes.transAxes, **plot.WRITING)
    return canvas.png()
