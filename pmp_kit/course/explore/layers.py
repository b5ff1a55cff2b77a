"""Checkboxes that show and hide the layers of a picture. They stand below the controls and are not counted as such."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import ipywidgets as widgets

from . import layout
from .drive import settings


class Layers:
    """The layers of a picture and which of them are shown.

    Args:
        names: of all layers; empty for a picture without layers.
        shown: names of those that are shown at first.
        changed: called without arguments after a checkbox has changed.

    Attributes:
        boxes: name -> checkbox.

    Raises:
        ValueError: a layer that does not exist.
    """

    def __init__(self, names: Sequence[str], shown: Collection[str], changed: Callable[[], None]):
        if isinstance(shown, str) or not isinstance(shown, Collection):
            raise TypeError(f"layers: expected a list of names among {', '.join(names)}, got {shown!r}")
        unknown = [name for name in shown if name not in names]
        if unknown:
            raise ValueError(f"layers: expected names among {', '.join(names)}, got {unknown[0]!r}; leave it out")
        self.boxes = {name: widgets.Checkbox(value=name in shown, description=name, indent=False) for name in names}
        for box in self.boxes.values():
            box.add_class("pmp-control")
            box.layout.width = "auto"
            box.observe(lambda change: changed(), "value")

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the layers that are shown; may be set."""
        return tuple(name for name, box in self.boxes.items() if box.value)

    @shown.setter
    def shown(self, names: Collection[str]) -> None:
        for name, box in self.boxes.items():
            box.value = name in names

    def rows(self) -> list[widgets.Widget]:
        """Return a heading and the checkboxes; nothing for a picture without layers."""
        if not self.boxes:
            return []
        row = widgets.HBox(list(self.boxes.values()))
        row.add_class("pmp-layers")
        return [layout.heading("show"), row]

    def arguments(self) -> dict[str, tuple[str, ...]]:
        """Return the argument of the class of the explorer that shows these layers."""
        return {"layers": self.shown} if self.boxes else {}

    def exercise(self) -> int:
        """Switch every layer, then back; returns the number of settings tried."""
        return sum(1 for name, box in self.boxes.items() for _ in settings(name, box))
