"""Pixels survive the way into a PNG; painters paint what they say."""

import io

import numpy as np
import pytest
from PIL import Image

from pmp_kit.course import plot
from pmp_kit.course.plot import labels, pixels


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


@pytest.mark.parametrize("values", [np.zeros((2, 2)), np.zeros((2, 2, 4), np.uint8), np.zeros(3, np.uint8)])
def test_png_refuses_what_is_no_picture(values):
    with pytest.raises(ValueError, match=r"pixels: expected uint8 .* got"):
        plot.png(values)


def test_colour_maps_are_centred_and_clipped():
    orange, middle, purple = plot.diverging(np.array([-9.0, 0.0, 9.0]), limit=2.0).astype(int)
    assert (middle > 240).all()
    assert orange[0] > orange[2]
    assert purple[2] > purple[0]
    dark, light = plot.probability(np.array([-0.1, 1.1])).astype(int)
    assert dark.sum() < light.sum()
    assert (plot.rgb("#0072B2") == [0, 0x72, 0xB2]).all()


def test_methods_can_be_told_apart_without_colour():
    assert len({(style.mark, style.line) for style in plot.METHODS.values()}) == len(plot.METHODS)


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


def test_states_are_black_on_white_and_free_pixels_hatched():
    image = pixels.states(np.array([[0, 1, -1]]), cell=12)
    assert image.shape == (12, 36, 3)
    assert (image[:, :12] == 255).all()
    assert (image[:, 12:24] == 0).all()
    assert set(np.unique(image[:, 24:])) == {pixels.HATCH_LIGHT, pixels.HATCH_DARK}


def test_magnified_maps():
    sign = pixels.messages(np.array([[-1.0, 1.0]]), 2, limit=1.0)
    assert (sign[0, 0] == plot.colour_map("PuOr")[0]).all()
    assert (sign[0, -1] == plot.colour_map("PuOr")[255]).all()


def test_mosaic_and_paste():
    images = np.arange(3, dtype=np.uint8)[:, None, None, None] * np.ones((1, 2, 2, 3), np.uint8)
    sheet = pixels.mosaic(images, columns=2, gap=1)
    assert sheet.shape == (5, 5, 3)
    assert (sheet[0, 3] == 1).all()
    assert (sheet[3, 0] == 2).all()
    assert (sheet[3:, 3:] == 255).all()
    ground = np.zeros((6, 6, 3), np.uint8)
    pixels.paste(ground, pixels.frame(images[1]), 1, 2)
    assert (ground[2, 3] == 1).all()
    with pytest.raises(ValueError, match="image: expected to fit"):
        pixels.paste(ground, sheet, 3, 3)


def test_a_sheet_has_framed_tiles():
    images = np.array([[[0, 1]], [[1, 0]], [[1, 1]]])
    sheet = pixels.sheet(images, cell=2, columns=2, gap=3)
    assert sheet.shape == (2 * 4 + 3, 2 * 6 + 3, 3)
    for top, left, image in ((0, 0, images[0]), (0, 9, images[1]), (7, 0, images[2])):
        tile, expected = sheet[top : top + 4, left : left + 6], pixels.states(image, 2)
        assert (tile[1:-1, 1:-1] == expected).all()
        assert (tile[[0, -1]] == plot.rgb(plot.FAINT)).all()
        assert (tile[:, [0, -1]] == plot.rgb(plot.FAINT)).all()
    assert (sheet[7:, 9:] == 255).all()


def test_png_is_small():
    assert len(plot.png(np.full((500, 800, 3), 255, np.uint8))) < 20_000


def test_words_are_in_their_colour_and_cut_to_their_width():
    line, longer = labels.words("max", 11, "#0072B2"), labels.words("max-product", 11, "#0072B2")
    assert (line.min((0, 1)) == plot.rgb("#0072B2")).all()
    assert (line[:, -1] != pixels.WHITE).any()
    assert line.shape[0] == longer.shape[0]
    assert 2 * line.shape[1] < longer.shape[1] < 6 * line.shape[1]
    assert labels.words("max", 11, "#0072B2") is line
