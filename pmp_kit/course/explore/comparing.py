"""The base of explorers whose noise may stay the same or be new in every picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from ...engine import checks
from . import layout
from .explorer import Explorer
from .history.tools import Tools

NOISE = ("frozen", "new")


class ComparingExplorer(Explorer):
    """An explorer with a choice of noise. Its seed is an argument of the class and no control.

    Args:
        first: as for `Explorer`; its "seed", or else 0, is the first seed.

    Attributes:
        seed: of the noise. It stays while `noise` is frozen; else every change of a control takes the next one.
    """

    def __init__(self, first: Mapping[str, Any] | None = None):
        self.seed = checks.count("seed", (first or {}).get("seed", 0), minimum=0)
        super().__init__(first)

    def make_tools(self) -> Tools:
        """Make the tools, with the choice of noise above them."""
        tools = super().make_tools()
        noise = tools.values["noise"] = widgets.Dropdown(options=NOISE)
        layout.named("noise", noise)
        noise.observe(self._changed, "value")
        head, buttons = tools.column
        tools.column = head, noise, buttons
        return tools

    def refresh(self) -> None:
        """Compute and paint for the values of the controls, with the next seed if the noise is new every time."""
        with self.lock:
            if self.tools["noise"].value == "new":
                self.seed += 1
            super().refresh()

    def view(self) -> dict[str, Any]:
        """Return the values of the controls and the seed."""
        return super().view() | {"seed": self.seed}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the seed; the noise is frozen, so that the view stays."""
        super().set_view(values)
        self.seed = values["seed"]
        self.freeze_noise()

    def freeze_noise(self) -> None:
        """Keep the present noise, whatever controls are moved."""
        self.tools["noise"].value = "frozen"
