"""The pictures of the deconvolution studio: beliefs of the features, and images with what is drawn of them."""

from __future__ import annotations

import functools

import numpy as np

from ... import plot
from ...experiments.deconvolution import traces
from ...plot import labels, strips
from ..page.player import Clip
from .compute import State

WIDTH, HEIGHT = 464, 262
WORDS = labels.SHADES
INK, PAPER, MISSED, WRONG, FREE_INK, FREE_PAPER, EDGE = range(WORDS, WORDS + 7)
BELIEFS, SHADES = WORDS + 7, 64
CELL, PIXEL, GAP, ACROSS = 22, 5, 10, 8
FEATURES_AT, IMAGES_AT = 24, 144
LOWEST = 0.5  # of the curve: share of pixels that are right


@functools.cache
def palette() -> np.ndarray:
    """Return the colours: of the writing, of the states of pixels, of beliefs from orange to purple."""
    colours = ["#000000", "#FFFFFF", plot.METHODS["data"].colour, plot.WRONG]
    pixels = [plot.rgb(colour) for colour in (*colours, "#8A8A8A", "#E4E4E4", plot.FAINT)]
    beliefs = plot.diverging(np.linspace(-1, 1, SHADES), 1.0)
    return np.concatenate([labels.writing(), pixels, beliefs]).astype(np.uint8)[None]


@functools.cache
def ground() -> np.ndarray:
    """Draw the writing, once for all pictures."""
    canvas = plot.Canvas(WIDTH, HEIGHT, density=1)
    lines = {FEATURES_AT: "features W, as believed", IMAGES_AT: "images X, as drawn by W and S"}
    for top, words in lines.items():
        canvas.write(GAP, top - 7, words, fontsize=10)  # the picture is narrow, so it is shown larger
    return labels.shades(canvas.pixels())


def picture(state: State) -> Clip:
    """Return the run as an animation over the curve of the share of pixels that are right."""
    frames = np.repeat(ground()[None], len(state.drawn), axis=0)
    shades = BELIEFS + np.round((state.beliefs + 1) / 2 * (SHADES - 1)).astype(np.uint8)
    for k in range(shades.shape[1]):
        _paste(frames, shades[:, k], CELL, FEATURES_AT, GAP + k * (traces.WINDOW * CELL + GAP))
    ink = np.broadcast_to(state.images, state.drawn.shape)
    shown = np.where(state.drawn, np.where(ink, INK, WRONG), np.where(ink, MISSED, PAPER)).astype(np.uint8)
    shown[:, state.given :] = np.where(state.drawn[:, state.given :], FREE_INK, FREE_PAPER)
    side = PIXEL * state.images.shape[1] + 6
    for n in range(len(state.images)):
        _paste(frames, shown[:, n], PIXEL, IMAGES_AT + n // ACROSS * side, GAP + n % ACROSS * side)
    curve = np.clip((state.right - LOWEST) / (1 - LOWEST), 0, 1)
    top = f"{100 * state.right[-1]:.1f} % of the pixels right in the end (top: 100 %)"
    below = f"{100 * LOWEST:.0f} % · a frame every {traces.EVERY} sweeps →"
    return Clip(frames, palette(), curve, curve_top=top, curve_bottom=below, first=state.row, width=WIDTH)


def _paste(frames, cells, size: int, top: int, left: int) -> None:
    """Put cells (T, h, w) into the frames, each as a square, in a thin frame."""
    large = cells.repeat(size, axis=1).repeat(size, axis=2)
    height, width = large.shape[1:]
    frames[:, top - 1 : top + height + 1, left - 1 : left + width + 1] = EDGE
    frames[:, top : top + height, left : left + width] = large


def snapshot(clip: Clip) -> bytes:
    """Return a PNG of the frame that is shown first, over the curve, for pages without a kernel."""
    canvas, axes = strips.frame_over_axes(clip.pixels(clip.first), WIDTH, 100, (0.09, 0.34, 0.88, 0.42))
    sweeps = traces.EVERY * np.arange(clip.length)
    axes.plot(sweeps, LOWEST + (1 - LOWEST) * clip.curve, color=plot.METHODS["PMP"].colour)
    axes.set(xlim=(0, sweeps[-1]), ylim=(LOWEST, 1.02), yticks=[LOWEST, 1])
    axes.text(0, 1.1, "share of pixels right, by sweep", transform=axes.transAxes, fontsize=plot.TEXT, color=plot.INK)
    return canvas.png()
