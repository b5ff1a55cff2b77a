"""The base of explorers with tools to compare: frozen or new noise, pinned pictures, the view as code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from . import layout
from .drive import settings
from .explorer import Explorer
from .page.code import CodeButton
from .pin import Pin

NOISE = ("frozen", "new")


class ComparingExplorer(Explorer):
    """An explorer with tools below its controls. Its seed is an argument of the class and no control.

    Args:
        first: as for `Explorer`; its "seed", or else 0, is the first seed.

    Attributes:
        seed: of the noise. It stays while `noise` is frozen; else every change of a control takes the next one.
        tools: name -> tool; a tool has a value, like a control.
    """

    def __init__(self, first: Mapping[str, Any] | None = None):
        self.seed: int = (first or {}).get("seed", 0)
        self._pin, self._code = Pin(), CodeButton(self.copy_as_code)
        noise = widgets.Dropdown(options=NOISE)
        layout.named("noise", noise)
        self.tools = {"noise": noise, "pin": self._pin.button}
        super().__init__(first)
        noise.observe(self._changed, "value")
        self._pin.button.observe(self._pinned, "value")
        buttons = widgets.HBox([self._pin.button, self._code.widget])
        buttons.add_class("pmp-tools")
        self.column.children += (layout.heading("compare"), noise, buttons)
        self._frame.below(self._pin.widget)

    def refresh(self) -> None:
        """Compute and paint for the values of the controls, with the next seed if the noise is new every time."""
        with self._lock:
            if self.tools["noise"].value == "new":
                self.seed += 1
            super().refresh()
            self._code.update()

    def arguments(self):
        return super().arguments() | {"seed": self.seed}

    def _pinned(self, change) -> None:
        """Pin or unpin. The button may be pressed in another thread, so its value counts and not the change."""
        with self._lock:
            try:
                wanted = self._pin.button.value
                if wanted and not self._pin.full:
                    picture = self.make_picture()
                    picture.show(self.paint(self.state))
                    values = " · ".join(f"{name} {layout.short(value)}" for name, value in self.params().items())
                    self._pin.keep(picture, f"{values} · {self.describe(self.state)}")
                elif not wanted and self._pin.full:
                    self._pin.drop()
            except Exception as error:
                self.fail("pinning a picture", error)

    def exercise_more(self) -> int:
        """Use every tool, then go back to the seed."""
        seed, tried = self.seed, 0
        for name, tool in self.tools.items():
            tried += sum(1 for _ in settings(name, tool))
        for shown in (True, False):
            self._code.widget.shown = shown
        self.seed = seed
        self.refresh()
        return tried + 2
