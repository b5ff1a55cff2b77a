"""The tools of every explorer: a pinned picture, the view as code, and the last views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from .. import layout
from ..drive import settings
from ..page.code import CodeButton
from . import History
from .pin import Pin

if TYPE_CHECKING:
    from ..explorer import Explorer


class Tools:
    """The tools of an explorer.

    Args:
        explorer: whose picture is pinned, written as code, and returned to.

    Attributes:
        values: name -> tool that has a value, like a control.
        column: what stands below the controls.
        below: what stands beside the picture or below it.
    """

    def __init__(self, explorer: Explorer):
        self._explorer = explorer
        self.pin, self.code, self.history = Pin(), CodeButton(explorer.copy_as_code), History(explorer.restore)
        self.values: dict[str, Any] = {"pin": self.pin.button}
        buttons = widgets.HBox([self.pin.button, self.code.widget])
        buttons.add_class("pmp-tools")
        self.column: tuple[widgets.Widget, ...] = (layout.heading("compare"), buttons)
        self.below = self.pin.widget, self.history.widget

    def leave(self) -> None:
        """Keep the view that is about to be replaced among the last views."""
        self.history.leave(self._words, self._explorer.picture.kept)

    def show(self) -> None:
        """Note that the explorer shows another view."""
        self.history.show(self._explorer.view())
        self.code.update()

    def pinned(self) -> None:
        """Pin or unpin. The button may be pressed in another thread, so its value counts and not the change."""
        wanted, explorer = self.pin.button.value, self._explorer
        try:
            if wanted and not self.pin.full:
                picture = explorer.make_picture()
                picture.show(explorer.paint(explorer.state))
                self.pin.keep(picture, self._words(explorer.view()))
            elif not wanted and self.pin.full:
                self.pin.drop()
        except Exception:
            self.pin.button.value = self.pin.full  # a picture that failed is not pinned
            raise

    def _words(self, view: dict[str, Any]) -> str:
        """Describe a view with the state that is shown: the values of the controls, and the sentence of the state."""
        plain = {name: value for name, value in view.items() if isinstance(value, int | float | str)}
        values = (f"{name} {layout.short(value)}" for name, value in plain.items())
        return layout.typeset(" · ".join([*values, self._explorer.describe(self._explorer.state)]))

    def exercise(self) -> int:
        """Use every tool; returns the number of settings tried."""
        before, kept = self._explorer.view(), self.history.views
        tried = sum(1 for name, tool in self.values.items() for _ in settings(name, tool))
        for shown in (True, False):
            self.code.widget.shown = shown
        self.history.rest()
        self.leave()
        self.history.add()
        self.history.widget.asked = [next(reversed(self.history.views), -1), 0]  # -1 where every picture failed
        self._explorer.restore(before)
        self.history.replace(kept)
        return tried + 3
