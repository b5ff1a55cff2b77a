"""The pixel painter and the player: what goes to the page and comes back."""

import json
import struct

import numpy as np
import pytest

from pmp_kit import FREE
from pmp_kit.course import explore, plot
from pmp_kit.course.explore.page import player, wire


def test_painter_round_trip():
    values = np.random.default_rng(0).choice([FREE, 0, 1], (3, 4))
    painter = explore.PixelPainter(values, "evidence")
    assert (painter.values == values).all()
    assert painter.values.dtype == np.int32
    painter.values = values[::-1]
    assert (painter.values == values[::-1]).all()


def test_strokes_from_the_page_arrive():
    """The page sends buffers, which arrive as memoryviews."""
    painter = explore.PixelPainter(np.zeros((2, 2), int), "evidence")
    seen = []
    painter.observe(lambda change: seen.append(painter.values))
    painter.widget.set_state({"pixels": memoryview(bytes([0, 1, 2, 0]))})
    assert (seen[0] == [[0, 1], [FREE, 0]]).all()


def test_painter_says_what_is_wrong():
    with pytest.raises(ValueError, match=r"values: expected a grid .* got shape \(4,\)"):
        explore.PixelPainter(np.zeros(4), "evidence")
    with pytest.raises(ValueError, match=r"0 .off., 1 .on. and -128"):
        explore.PixelPainter(np.full((2, 2), 3), "evidence")
    painter = explore.PixelPainter(np.zeros((2, 2)), "evidence")
    with pytest.raises(ValueError, match=r"expected shape \(2, 2\), got \(3, 3\)"):
        painter.values = np.zeros((3, 3))


def clip(**changes) -> explore.Clip:
    images = np.arange(12, dtype=np.uint8).reshape(1, 3, 4) % 3
    palettes = np.arange(45, dtype=np.uint8).reshape(5, 3, 3)
    return explore.Clip(images, palettes, np.linspace(0, 1, 5), "top", "bottom", 2, 99)._replace(**changes)


def test_a_packed_clip_can_be_read_as_the_page_reads_it():
    one = clip()
    raw = player.pack(one)
    (length,) = struct.unpack("<I", raw[:4])
    header = json.loads(raw[4 : 4 + length])
    assert header == {
        "images": [1, 3, 4],
        "bytes": 1,
        "palettes": [5, 3],
        "curve_top": "top",
        "curve_bottom": "bottom",
        "first": 2,
        "width": 99,
        "best": False,
        "parts": {},
        "letters": {},
        "layers": {},
        "shown": [],
    }
    end = 4 + length + 45
    assert (np.frombuffer(raw[4 + length : end], np.uint8) == one.palettes.ravel()).all()
    assert (np.frombuffer(raw[end:], "<f4") == one.curve.astype(np.float32)).all()


@pytest.mark.parametrize("shape", [(1, 1), (5, 3, 4), (40, 33, 3), (300, 200, 3)])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 1.0])
def test_images_arrive_as_they_are(shape, share):
    draw = np.random.default_rng(0)
    images = np.where(draw.random(shape) < share, draw.integers(0, 256, shape), 255).astype(np.uint8)
    before = images.copy()
    assert (wire.expand(wire.squeeze(images), shape) == before).all()
    assert (images == before).all()


def test_images_are_sent_once():
    shown = explore.Player("a test")
    one = clip()
    shown.show(one)
    sent = []
    shown.widget.observe(lambda change: sent.append(change["name"]), ["images", "clip"])
    shown.show(one._replace(palettes=one.palettes + np.uint8(1)))
    assert sent == ["clip"]
    assert (wire.expand(shown.widget.images, one.images.shape) == one.images).all()


def test_a_clip_is_small():
    """A drawing of up to 500 colours over 65 frames: tens of kilobytes, and the images do not count again."""
    scope = explore.OneSample(model="lattice")
    assert len(scope.picture.widget.images) < 60_000
    assert len(scope.picture.widget.clip) < 100_000


def test_images_of_more_than_256_colours_have_two_bytes():
    images = np.arange(600, dtype=np.uint16).reshape(1, 20, 30)
    palettes = np.random.default_rng(0).integers(0, 256, (2, 600, 3), dtype=np.uint8)
    shown = explore.Player("a test")
    shown.show(explore.Clip(images, palettes))
    sent = wire.expand(shown.widget.images, (1, 20, 60))
    assert (sent.view(np.uint16) == images).all()
    assert b'"bytes": 2' in shown.widget.clip
    assert (shown.clip.pixels(1) == palettes[1].reshape(20, 30, 3)).all()


def test_the_fallback_is_the_first_frame():
    shown = explore.Player("a test")
    with pytest.raises(ValueError, match="clip: expected one to be shown first"):
        shown.png()
    shown.show(clip())
    assert shown.png() == plot.png(clip().pixels(2))
    assert (clip().pixels(2) == clip().palettes[2][clip().images[0]]).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"palettes": np.zeros((4, 3, 3), np.uint8)}, "palettes: expected 1 .shared. or 5 entries, got 4"),
        ({"curve": np.zeros(3)}, "curve: expected 1"),
        ({"images": np.zeros((1, 3, 4))}, "expected uint8 or uint16 images .*, got float64"),
        ({"images": np.full((1, 3, 4), 3, np.uint8)}, "below the number of colours"),
    ],
)
def test_parts_that_do_not_belong_together(changes, message):
    with pytest.raises(ValueError, match=message):
        explore.Player("a test").show(clip(**changes))


def test_nothing_flashes_fast_at_the_start():
    rate = explore.Player("a test").widget.rate
    assert rate in player.RATES
    assert rate / 2 <= 3, "an oscillation of period 2"


def test_a_still_goes_to_the_page_and_back():
    pixels = np.random.default_rng(0).integers(0, 256, (7, 5, 3), dtype=np.uint8)
    still = explore.Still(100)
    still.show(pixels)
    assert (still.pixels() == pixels).all()
    assert still.png() == plot.png(pixels)
    kept = pixels.copy()
    pixels[:] = 0  # a painter may use its array again
    assert (still.pixels() == kept).all()


@pytest.mark.parametrize(
    ("picture", "error", "message"),
    [
        (b"\x89PNG", TypeError, "picture: expected pixels, got bytes"),
        (np.zeros((3, 4), np.uint8), ValueError, r"expected uint8 of shape \(height, width, 3\), got uint8 of shape"),
        (np.zeros((3, 4, 3)), ValueError, "got float64 of shape"),
    ],
)
def test_a_still_wants_pixels(picture, error, message):
    with pytest.raises(error, match=message):
        explore.Still(100).show(picture)
