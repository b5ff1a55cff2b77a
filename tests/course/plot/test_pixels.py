"""Pixels survive the way into a PNG, and a canvas repaints what moves."""

import io

import numpy as np
import pytest
from PIL import Image

from pmp_kit.course import plot


def read(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (17, 4), (40, 300)])
def test_png_round_trip(shape):
    draw = np.random.default_rng(0)
    colour = draw.integers(0, 256, (*shape, 3), dtype=np.uint8)
    assert (read(plot.png(colour)) == colour).all()
    grey = colour[..., 0]
    assert (read(plot.png(grey)) == grey[..., None]).all()


def test_colour_maps_are_centred_and_clipped():
    orange, middle, purple = plot.diverging(np.array([-9.0, 0.0, 9.0]), limit=2.0).astype(int)
    assert (middle > 240).all()
    assert orange[0] > orange[2]
    assert purple[2] > purple[0]
    dark, light = plot.probability(np.array([-0.1, 1.1])).astype(int)
    assert dark.sum() < light.sum()
    assert (plot.rgb("#0072B2") == [0, 0x72, 0xB2]).all()


def test_canvas_repaints_only_what_moves():
    canvas = plot.Canvas(80, 40, density=1)
    axes = canvas.axes(0.1, 0.1, 0.8, 0.8)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    (dot,) = axes.plot([0.2], [0.5], "o", color="#FF0000")
    canvas.moving(dot)
    first = canvas.pixels()
    assert first.shape == (40, 80, 3)
    dot.set_xdata([0.8])
    moved = canvas.pixels()
    assert (moved != first).any()
    dot.set_xdata([0.2])
    assert (canvas.pixels() == first).all()
    axes.set_facecolor("#00FF00")
    assert (canvas.pixels() == first).all()
    canvas.redraw()
    assert (canvas.pixels() != first).any()
    assert (read(canvas.png()) == canvas.pixels()).all()
