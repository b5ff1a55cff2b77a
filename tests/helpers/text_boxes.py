"""Where the text stands in a figure, and what it stands on."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple
from unittest import mock

import numpy as np
from matplotlib.text import Text

from pmp_kit.course.plot import Canvas, labels, pixels
from pmp_kit.course.plot.figure import Figure

TOUCH = 1.0  # image pixels by which boxes may overlap
NO_TEXT = "no text is found"
PLAIN = 40  # difference of grey levels below which a ground counts as one colour


class Box(NamedTuple):
    """A text and its place in image pixels, from the left and the top."""

    words: str
    left: float
    top: float
    right: float
    bottom: float
    framed: bool = False
    """Whether the text has a ground of its own."""

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > TOUCH and min(self.bottom, other.bottom) - max(self.top, other.top) > TOUCH


class Seen:
    """What was drawn while `watching`: canvases, and what was pasted into pictures."""

    def __init__(self):
        self.canvases: dict[tuple, Canvas] = {}
        self.texts: list[tuple[tuple, Box]] = []
        self.images: list[tuple[tuple, Box]] = []
        self.words: dict[int, tuple[str, np.ndarray]] = {}
        self.drawn: set[tuple] = set()
        """Shapes of canvases that were drawn for this picture."""
        self.blank = False
        """Whether text is left out."""

    def forget(self) -> None:
        """Start anew for the next picture. Grounds that were drawn before are kept."""
        self.texts.clear()
        self.images.clear()
        self.drawn.clear()


@contextlib.contextmanager
def watching(seen: Seen) -> Iterator[None]:
    """Note what is drawn. An explorer has to be made meanwhile, because it draws some text only then."""
    draw, word, paste = Canvas.pixels, labels.words, pixels.paste

    def draw_noted(canvas):
        picture = without_text(canvas, draw) if seen.blank else draw(canvas)
        seen.canvases[picture.shape] = canvas
        seen.drawn.add(picture.shape)
        return picture

    def word_noted(text, *look):
        drawn = word(text, *look)
        seen.words[id(drawn)] = text, drawn
        return drawn

    def paste_noted(sheet, image, top, left):
        height, width = image.shape[:2]
        text, _ = seen.words.get(id(image), ("", None))
        rows = np.flatnonzero((image != 255).any((1, 2))) if text else np.array([0, height - 1])
        box = Box(text, left, top + rows.min(), left + width, top + rows.max() + 1)
        (seen.texts if text else seen.images).append((sheet.shape, box))
        if not (text and seen.blank):
            paste(sheet, image, top, left)

    with (
        mock.patch.object(Canvas, "pixels", draw_noted),
        mock.patch.object(labels, "words", word_noted),
        mock.patch.object(pixels, "paste", paste_noted),
    ):
        yield


def of_figure(figure: Callable[[], Figure]) -> list[str]:
    """What is wrong with the text of a figure, as `complaints` says it."""
    seen = Seen()
    with watching(seen):
        return complaints(figure, seen, lambda drawn: _read(drawn().data))


def _read(png: bytes) -> np.ndarray:
    """The pixels of a PNG."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def without_text(canvas: Canvas, draw: Callable) -> np.ndarray:
    """The pixels of a canvas whose text is left out."""
    draw(canvas)  # the labels of ticks exist from now on
    texts = [text for text, _ in of_canvas(canvas)]
    for visible in (False, True):
        for text in texts:
            text.set_visible(visible)
        canvas.redraw()
        if not visible:
            picture = draw(canvas)
    return picture


def of_canvas(canvas: Canvas) -> list[tuple[Text, Box]]:
    """All texts of a figure that can be seen."""
    hidden = {id(text) for axes in canvas.figure.axes for text in outside(axes)}
    height, kept = canvas.figure.bbox.height, []
    for text in canvas.figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text.get_color() != "white" and id(text) not in hidden:
            box, framed = text.get_window_extent(), text.get_bbox_patch() is not None
            kept.append((text, Box(text.get_text(), box.x0, height - box.y1, box.x1, height - box.y0, framed)))
    return kept


def outside(axes) -> Iterator[Text]:
    """The labels of ticks beyond the limits of the axes, which matplotlib does not draw."""
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not (axes.axison and low <= tick.get_loc() <= high):
                yield tick.label1


def boxes(draw: Callable[[], np.ndarray], seen: Seen) -> tuple[list[Box], list[Box], np.ndarray]:
    """Text boxes, boxes of pasted images, and a picture without its text.

    Where the text was drawn once for all pictures it cannot be taken away, so those boxes count as framed.
    """
    seen.forget()
    shape = draw().shape
    canvas = seen.canvases.get(shape)
    texts = [] if canvas is None else of_canvas(canvas)
    fixed = shape not in seen.drawn
    written = [box for size, box in seen.texts if size == shape]
    images = [box for size, box in seen.images if size == shape]
    seen.blank = True
    bare = draw()
    seen.blank = False
    return [box._replace(framed=box.framed or fixed) for _, box in texts] + written, images, bare


def complaints(figure: Callable[[], Figure], seen: Seen, show: Callable) -> list[str]:
    """What is wrong with the text of a picture: there is none, it meets text, an image or a line, or it is cut off.

    Args:
        figure: what `show` draws, within `watching`.
        seen: what was drawn since.
        show: returns the pixels.
    """
    texts, images, bare = boxes(lambda: show(figure), seen)
    height, width = bare.shape[:2]
    wrong = [] if texts else [NO_TEXT]
    wrong += [f"{a.words!r} lies on {b.words!r}" for a, b in itertools.combinations(texts, 2) if a.meets(b)]
    wrong += [f"{text.words!r} lies on an image" for text in texts for image in images if text.meets(image)]
    for text in texts:
        if text.left < -TOUCH or text.top < -TOUCH or text.right > width + TOUCH or text.bottom > height + TOUCH:
            wrong.append(f"{text.words!r} is cut off")
        ground = bare[max(0, int(text.top)) : int(text.bottom) + 1, max(0, int(text.left)) : int(text.right) + 1]
        if ground.size and not text.framed and np.ptp(ground.astype(int), axis=(0, 1)).max() > PLAIN:
            wrong.append(f"{text.words!r} lies on a line")
    return wrong
