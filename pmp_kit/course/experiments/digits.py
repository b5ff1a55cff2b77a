"""Page 00: Markov chains of the digit model beside independent samples of PMP."""

from __future__ import annotations

import jax
import numpy as np
from jaxtyping import Int

import pmp_kit as pk

from .. import plot
from ..plot import pixels
from ..plot.figure import Figure

WIDTH, TOP, ROW = 700, 30, 66  # CSS pixels: the figure, the heads of the columns, a row of images
LEFT, CELL, DENSITY = 150, 5, 1.5  # CSS pixels for the names; image pixels of a pixel; image pixels a CSS pixel


def chains(
    key: jax.Array, model: pk.RBM, digits: Int[np.ndarray, "chains h w"], sweeps: int, every: int
) -> Int[np.ndarray, "rows chains h w"]:
    """Run a chain of block Gibbs sampling from each digit, and return its images at sweep 0, every, 2 * every, ...

    Args:
        key: a JAX key.
        model: an RBM with the blocks "v" and "h".
        digits: the images from which the chains start.
        sweeps: the length of the chains.
        every: the number of sweeps between two images.
    """
    gibbs, first, then = pk.Gibbs(blocks=("h", "v")), *jax.random.split(key)
    number = len(digits)
    start = pk.sample(first, model, gibbs, num_samples=number, num_sweeps=1, evidence={"v": digits})
    recorded = pk.trace(then, model, gibbs, num_sweeps=sweeps, every=every, num_samples=number, previous=start.chains)
    return np.asarray(recorded.values["v"])


def figure(rows: dict[str, Int[np.ndarray, "columns h w"]], heads: list[str]) -> Figure:
    """Draw rows of images with names.

    Args:
        rows: name of a row, in one or two lines -> its images; those without a head are left out.
        heads: the words above the columns, numbers of sweeps.
    """
    canvas = plot.Canvas(WIDTH, TOP + ROW * len(rows), DENSITY)
    canvas.write(0, TOP - 10, "sweeps of the chains")
    step = (WIDTH - LEFT) / len(heads)
    for k, head in enumerate(heads):
        canvas.write(LEFT + k * step, TOP - 10, head)
    for r, name in enumerate(rows):
        for line, words in enumerate(name.split("\n")):
            canvas.write(0, TOP + r * ROW + 22 + 18 * line, words)
    page = canvas.pixels()
    for r, images in enumerate(rows.values()):
        for k, image in enumerate(images[: len(heads)]):
            tile = pixels.frame(pixels.states(image, CELL))
            pixels.paste(page, tile, round((TOP + r * ROW) * DENSITY), round((LEFT + k * step) * DENSITY))
    return Figure(plot.png(page), WIDTH, "images, row by row: " + ", ".join(name.replace("\n", " ") for name in rows))
