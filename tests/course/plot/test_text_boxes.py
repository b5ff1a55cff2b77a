"""The check of text in pictures finds text on text, text on lines and text that is cut off."""

import numpy as np
import pytest
import text_boxes
from toys import Toy

from pmp_kit.course import plot
from pmp_kit.course.plot import labels, pixels


class Drawn(Toy):
    """Paints a canvas and what a function adds to it."""

    def __init__(self, add):
        self.canvas, self.add = plot.Canvas(200, 100), add
        self.canvas.write(20, 50, "first")
        self.canvas.axes(0.1, 0.1, 0.8, 0.2).set(xticks=[], yticks=[])
        super().__init__()

    def paint(self, state):
        picture = self.canvas.pixels()
        self.add(self, picture)
        return picture


def complaints(add, prepare=lambda canvas: None) -> list[str]:
    seen = text_boxes.Seen()
    with text_boxes.watching(seen):
        drawn = Drawn(add)
        prepare(drawn.canvas)
        return text_boxes.complaints(drawn, seen)


def nothing(drawn, picture):
    pass


def word_at(left, top):
    return lambda drawn, picture: pixels.paste(picture, labels.words("second", 13, "#000000"), top, left)


@pytest.mark.parametrize(
    ("add", "prepare", "expected"),
    [
        (nothing, lambda canvas: None, []),
        (word_at(150, 60), lambda canvas: None, []),
        (word_at(40, 60), lambda canvas: None, ["'first' lies on 'second'"]),
        (nothing, lambda canvas: canvas.write(40, 50, "third"), ["'first' lies on 'third'"]),
        (nothing, lambda canvas: canvas.write(180, 20, "third"), ["'third' is cut off"]),
        (nothing, lambda canvas: canvas.write(60, 70, "third"), ["'third' lies on a line"]),
        (
            lambda drawn, picture: pixels.paste(picture, np.zeros((9, 9, 3), np.uint8), 65, 40),
            lambda canvas: None,
            ["'first' lies on an image", "'first' lies on a line"],
        ),
    ],
)
def test_what_is_wrong_is_found(add, prepare, expected):
    def lined(canvas):
        canvas.figure.axes[0].axhline(0.0, color="black")
        canvas.figure.axes[0].set_ylim(-1, 0)
        prepare(canvas)

    assert complaints(add, lined) == expected
