"""A picture that is kept beside the live one, or below it on a narrow page, to compare the two."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from .. import layout, live


class Pin:
    """A place beside the live picture, and the button that keeps a picture there or drops it.

    Attributes:
        button: on while a picture is kept.
        widget: the place; hidden while nothing is kept.
    """

    def __init__(self):
        self.button = widgets.ToggleButton(description="pin", tooltip="keep this picture beside the live one")
        self.button.layout.width = "auto"
        self.widget = widgets.VBox(layout=widgets.Layout(display="none"))
        self.widget.add_class("pmp-pin")
        self._kept: tuple[Any, ...] = ()

    @property
    def full(self) -> bool:
        """Whether a picture is kept."""
        return bool(self._kept)

    def keep(self, picture: Any, words: str) -> None:
        """Keep a picture and its description."""
        head = layout.text(layout.marked("<b>pinned</b> · {}", words), "pmp-pin-words")
        self._kept = picture, head
        self.widget.children = (picture.widget, head)
        self.widget.layout.display = "flex"
        self.button.description = "unpin"

    def drop(self) -> None:
        """Forget the picture."""
        self.widget.children, self.widget.layout.display = (), "none"
        self.button.description = "pin"
        for part in live.parts(one if isinstance(one, widgets.DOMWidget) else one.widget for one in self._kept):
            part.close()  # a widget leaves its parts open
        self._kept = ()
