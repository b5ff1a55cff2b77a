"""The base of explorers that compare: the noise stands still or not, a picture is pinned, a view becomes code."""

from __future__ import annotations

import ipywidgets as widgets

from . import layout
from .explorer import Explorer
from .page.code import CodeButton
from .pin import Pin
from .settings import settings

NOISE = ("frozen", "new")


class ComparingExplorer(Explorer):
    """An explorer with tools below its controls. It draws its noise from `seed`, which is no control of it.

    Attributes:
        seed: of the noise. It stays while `noise` is frozen; else every change of a control takes the next one.
        tools: name -> tool with a value, as the controls have one.
    """

    seed: int

    def __init__(self):
        self._pin, self._code = Pin(), CodeButton(self.copy_as_code)
        noise = widgets.Dropdown(options=NOISE)
        layout.named("noise", noise)
        self.tools = {"noise": noise, "pin": self._pin.button}
        super().__init__()
        noise.observe(self._changed, "value")
        self._pin.button.observe(self._pinned, "value")
        buttons = widgets.HBox([self._pin.button, self._code.widget])
        buttons.add_class("pmp-tools")
        self.column.children += (layout.heading("compare"), noise, buttons)
        self._frame.below(self._pin.widget)

    def refresh(self) -> None:
        """Compute and paint for the controls as they are, with the next seed where the noise is new every time."""
        with self._lock:
            if self.tools["noise"].value == "new":
                self.seed += 1
            super().refresh()
            self._code.update()

    def arguments(self):
        return super().arguments() | {"seed": self.seed}

    def _pinned(self, change) -> None:
        """The button was pressed, perhaps in another thread: what counts is where it stands."""
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
        """Use every tool, and come back to the seed."""
        seed, tried = self.seed, 0
        for name, tool in self.tools.items():
            tried += sum(1 for _ in settings(name, tool))
        for shown in (True, False):
            self._code.widget.shown = shown
        self.seed = seed
        self.refresh()
        return tried + 2
