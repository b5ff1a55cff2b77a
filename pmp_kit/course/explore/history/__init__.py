"""The last views of an explorer as small pictures: a click returns to one."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
import traitlets

from ...plot.pixels import Image
from ...plot.png import png
from ..page import sources
from ..page.scripted import Scripted

MOST = 10  # views in the strip
RESTED = 0.6  # seconds: a view that was shown for a shorter time was only passed on the way to another one
HEIGHT = 56  # of a small picture, in pixels


class View(NamedTuple):
    """A view of an explorer: the values that it was made with, one sentence, and a small picture as a PNG."""

    values: dict[str, Any]
    words: str
    picture: bytes


class _HistoryView(Scripted):
    """The widget. `asked` is the serial number of the view that was clicked last and a count of the clicks."""

    _esm = sources.module("history.js")
    serials = traitlets.List(traitlets.Int()).tag(sync=True)
    pictures = traitlets.List(traitlets.Bytes()).tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    asked = traitlets.List(traitlets.Int()).tag(sync=True)


class History:
    """The strip of views.

    Args:
        restore: called with the values of the view that the reader clicked.

    Attributes:
        views: serial number -> view, the oldest first. A click may arrive after the strip has changed, so the page
            names a view by its number and not by its place.
        widget: the strip; it has no height while there are no views.
    """

    def __init__(self, restore: Callable[[dict[str, Any]], None]):
        self._restore = restore
        self.views: dict[int, View] = {}
        self._serials = itertools.count()
        self._shown: tuple[dict[str, Any], float] | None = None
        self._left: Callable[[], View] | None = None
        self.widget = _HistoryView(layout=widgets.Layout(width="100%"))
        self.widget.observe(self._clicked, "asked")

    def leave(self, words: Callable[[dict[str, Any]], str], kept: Callable[[], Callable[[], Image]]) -> None:
        """Keep the view that is replaced next if the reader had time to look at it.

        Its small picture is made in `show`, because the reader waits for the next picture.

        Args:
            words: a function of the values of that view, which describes it.
            kept: returns a function that gives its pixels after it was replaced.
        """
        if self._shown is not None and time.monotonic() - self._shown[1] >= RESTED:
            values = self._shown[0]
            said, pixels = words(values), kept()
            self._left = lambda: View(values, said, small(pixels()))

    def show(self, values: dict[str, Any]) -> None:
        """Note that a view is shown from now on, and add the one that was left to the strip.

        With the same values it is the same view, which may show more results of a reader's sampler than before.
        """
        if self._shown is not None and same_values(values, self._shown[0]):
            self._left = None
            return
        self._shown = values, time.monotonic()
        self.add()

    def add(self) -> None:
        """Add the view that was left to the strip, if the reader had time to look at it."""
        left, self._left = self._left, None
        if left is not None:
            self.keep(left())

    def keep(self, view: View) -> None:
        """Add a view at the end. The same view is not kept twice, and only the last MOST views are kept."""
        same = [serial for serial, one in self.views.items() if (one.words, one.picture) == (view.words, view.picture)]
        (serial,) = same or [next(self._serials)]
        others = [item for item in self.views.items() if item[0] != serial]
        self.replace(dict([*others, (serial, view)][-MOST:]))

    def replace(self, views: dict[int, View]) -> None:
        """Show these views in the strip."""
        self.views = views
        with self.widget.hold_sync():
            self.widget.pictures = [one.picture for one in views.values()]
            self.widget.words = [one.words for one in views.values()]
            self.widget.serials = list(views)

    def rest(self) -> None:
        """Take the view that is shown as one that the reader had time to look at."""
        if self._shown is not None:
            self._shown = self._shown[0], -math.inf

    def _clicked(self, change) -> None:
        """Return to the view that was clicked; do nothing if it has left the strip."""
        view = self.views.get(change["new"][0])
        if view is not None:
            self._restore(view.values)


def same_values(values: dict[str, Any], others: dict[str, Any]) -> bool:
    """Return whether two views have the same values. A state of training, which holds arrays, must be the same one."""
    plain = (bool, int, float, str, tuple, list, dict)
    return values.keys() == others.keys() and all(
        value is others[name] or (type(value) in plain and value == others[name]) for name, value in values.items()
    )


def small(pixels: Image) -> bytes:
    """Return a picture of HEIGHT pixels as a PNG."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(pixels)
    width = max(1, round(picture.width * HEIGHT / picture.height))
    return png(np.asarray(picture.resize((width, HEIGHT), Pillow.Resampling.BOX)))
