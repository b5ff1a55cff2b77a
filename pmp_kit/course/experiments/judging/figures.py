"""Two figures of page 07: a kernel that sees only means, and the distribution of MMD^2 of a perfect sampler."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import pixels
from ...plot.figure import Figure
from . import sets

ALIKE, OPPOSITE = np.array([[[0, 0]], [[1, 1]]]), np.array([[[0, 1]], [[1, 0]]])
"""Two sets of two images of two pixels: every pixel is on in half of the images of each set."""
KERNELS = {
    "straight line": lambda share: 1 - share,
    "scale 1": lambda share: np.exp(-share),
    "scale 10": lambda share: np.exp(-10 * share),
}
COLOURS = dict(zip(KERNELS, (plot.FAINT, plot.QUIET, plot.TRUE), strict=True))
NAMED = dict(zip(KERNELS, ((0.62, 0.27, "right"), (0.99, 0.57, "right"), (0.36, 0.11, "left")), strict=True))
"""Where the name of each curve stands beside it, and its alignment."""
DASHES = dict(zip(KERNELS, (":", "--", "-"), strict=True))
TIMES, SEED = 300, 0


def discrepancy(x: np.ndarray, y: np.ndarray, kernel) -> float:
    """Return MMD^2 (V-statistic) of images (N, h, w) and (M, h, w) for a kernel of the share of pixels that differ."""
    first, second = (images.reshape(len(images), -1) for images in (x, y))
    xx, yy, xy = (
        kernel((a[:, None] != b[None]).mean(-1)).mean() for a, b in ((first, first), (second, second), (first, second))
    )
    return float(xx + yy - 2 * xy)


def equal_means() -> Figure:
    """Draw two sets of images with equal means, three kernels, and MMD^2 between the sets for each kernel."""
    canvas = plot.Canvas(680, 230)
    for left, words in ((10, "set A"), (110, "set B"), (230, "kernel"), (480, "MMD² between A and B")):
        canvas.write(left, 22, words)
    axes, share = canvas.axes(230 / 680, 0.23, 200 / 680, 0.62), np.linspace(0, 1, 101)
    axes.set(xlim=(0, 1), ylim=(0, 1.05), yticks=[0, 1])
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_xlabel("share of pixels that differ", **plot.WRITING)
    bars = canvas.axes(580 / 680, 0.23, 90 / 680, 0.62)
    bars.set(xlim=(0, 1), ylim=(2.5, -0.5), xticks=[0, 1])
    bars.set_yticks(range(3), list(KERNELS))
    bars.tick_params(axis="y", length=0)
    for row, (name, kernel) in enumerate(KERNELS.items()):
        axes.plot(share, kernel(share), DASHES[name], color=COLOURS[name], linewidth=2)
        x, y, align = NAMED[name]
        axes.text(x, y, name, ha=align, va="center", **plot.WRITING)
        value = discrepancy(ALIKE, OPPOSITE, kernel)
        bars.hlines(row, 0, value, color=COLOURS[name], linewidth=14)
        inside = value > 0.5
        bars.text(
            value - 0.05 if inside else value + 0.06, row, f"{value:.2f}", va="center", fontsize=plot.TEXT,
            ha="right" if inside else "left", color="white" if inside else plot.INK,
        )  # fmt: skip
    picture = canvas.pixels()
    for left, images in ((10, ALIKE), (110, OPPOSITE)):
        pixels.paste(picture, pixels.sheet(images, 44, 1, 24), 54, round(1.5 * left))
    words = "Two sets of two images of two pixels. A straight-line kernel does not tell them apart, and scale 10 does."
    return Figure(plot.png(picture), canvas.width, words)


def null() -> Figure:
    """Draw MMD^2 of random splits of real zeros, the band, and two samplers with the spread of their draws."""
    canvas = plot.Canvas(680, 230)
    found = sets.fresh()
    lines = (sets.PMP, 0.85, plot.METHODS["PMP"].colour), (sets.PIXELS, 1.3, plot.QUIET)
    for left, scale in ((0.02, 1.0), (0.53, 10.0)):
        axes, place = canvas.axes(left, 0.24, 0.45, 0.64), sets.SCALES.index(scale)
        values, error = sets.splits(scale, TIMES, SEED)
        axes.axvspan(-2, 2, color=plot.BAND, linewidth=0)
        counts, edges = np.histogram(values / error, bins=np.arange(-3, 9.75, 0.25))
        axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=plot.METHODS["data"].colour)
        top = counts.max()
        axes.set(xlim=(-3, 11), ylim=(0, 1.5 * top), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.set_title(f"kernel scale {scale:g}", **plot.WRITING, loc="left")
        axes.set_xlabel("MMD², in standard deviations", **plot.WRITING)
        axes.text(-1.9, 1.06 * top, "real zeros", **plot.WRITING)
        for name, height, colour in lines:
            sigmas = found[name][:, place]
            axes.errorbar(
                sigmas.mean(), height * top, xerr=sigmas.std(ddof=1), fmt="o", color=colour, linewidth=2.5, capsize=4
            )
            right = sigmas.mean() + sigmas.std(ddof=1) + 0.3
            axes.text(right, height * top, name, fontsize=plot.TEXT, color=colour, va="center")
    words = "MMD squared between random parts of the real zeros, and of PMP and independent pixels, at two scales"
    return Figure(canvas.png(), canvas.width, words)
