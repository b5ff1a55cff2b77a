"""A widget that shows a picture and replaces it as a whole."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import traitlets

from ...plot.pixels import Image
from ...plot.png import png
from . import sources, wire
from .scripted import Scripted

LARGEST = 1.5


Boxes = Mapping[str, Sequence[tuple[int, int, int, int]]]
"""Name of a part of a picture -> its boxes: left, top, width and height in image pixels."""


class StillView(Scripted):
    """The widget."""

    _esm = sources.module("still.js")
    image = traitlets.Bytes().tag(sync=True)
    boxes = traitlets.Dict().tag(sync=True)
    """The `Boxes` of the picture."""
    lit = traitlets.Unicode().tag(sync=True)
    """Names of the parts that are lit, separated by spaces. An equation in the page sets it."""


class Still:
    """A picture on the page. It is drawn when it arrives, while an <img> is decoded only for the page's next frame.

    Args:
        width: width in CSS pixels at which its text is as large as that of the page. It is shown as wide as there is
            room, at most LARGEST times that.
        view: the widget, where it is more than a picture.
        parts: returns the parts of the picture that is shown next, which a `Linked` equation lights up.
    """

    def __init__(self, width: int, view: StillView | None = None, parts: Callable[[], Boxes] = dict):
        self.width, self._parts = width, parts
        self.widget = StillView() if view is None else view
        self.widget.layout.width, self.widget.layout.max_width = "100%", f"{LARGEST * width:.0f}px"

    def show(self, picture: Image) -> None:
        """Replace the picture. It is sent as height, width and the rows compressed by `squeeze`.

        Raises:
            TypeError, ValueError: picture does not hold the pixels of a picture.
        """
        if not isinstance(picture, np.ndarray):
            raise TypeError(
                f"picture: expected pixels, got {type(picture).__name__}; return what `Canvas.pixels()` gives"
            )
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
            raise ValueError(
                f"picture: expected uint8 of shape (height, width, 3), got {picture.dtype} of shape {picture.shape}; "
                "scale to 0..255 and convert with astype(np.uint8)"
            )
        height, width = picture.shape[:2]
        with self.widget.hold_sync():
            self.widget.boxes = {name: [list(box) for box in boxes] for name, boxes in self._parts().items()}
            self.widget.image = struct.pack("<II", height, width) + wire.squeeze(picture)

    @property
    def parts(self) -> Collection[str]:
        """Names of the parts of the picture that can be lit."""
        return self.widget.boxes

    def kept(self) -> Callable[[], Image]:
        """Return a function that gives the pixels of this picture, even after another one has replaced it."""
        return functools.partial(_pixels, self.widget.image)

    def pixels(self) -> Image:
        """Return the pixels of the picture that the page shows."""
        return _pixels(self.widget.image)

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        return png(self.pixels())


def _pixels(sent: bytes) -> Image:
    """Return the pixels of a picture from what `Still.show` sends."""
    height, width = struct.unpack_from("<II", sent)
    return wire.expand(sent[8:], (height, width, 3))
