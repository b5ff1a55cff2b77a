"""A row of upright sliders above the controls of an explorer, one for each number of a short list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

STEP, DIGITS = 0.1, 1


class Equaliser:
    """Sliders in a row, which together are one input of an explorer.

    Args:
        values: the first values.
        reach: the sliders go from -reach to reach.
        label: of each slider, before its number.
    """

    def __init__(self, values: Sequence[float], reach: float, label: str):
        self.reach = reach
        self.sliders = [self._slider(f"{label} {number + 1}", value) for number, value in enumerate(values)]
        self.widget = widgets.HBox(self.sliders, layout=widgets.Layout(margin="0 0 8px 0"))

    def _slider(self, name: str, value: float) -> widgets.FloatSlider:
        slider = widgets.FloatSlider(
            value=value,
            min=-self.reach,
            max=self.reach,
            step=STEP,
            orientation="vertical",
            readout_format=".1f",
            layout=widgets.Layout(width="46px", height="150px", margin="0"),
        )
        slider.description = name
        slider.add_class("pmp-upright")
        return slider

    def observe(self, moved: Callable[[Any], None], name: str) -> None:
        """Call a function whenever a slider moves to another multiple of STEP.

        The page answers a value of 0.8 with 0.7999999999999998, which is not a move.
        """

        def pass_on(change):
            if round(change["new"], DIGITS) != round(change["old"], DIGITS):
                moved(change)

        for slider in self.sliders:
            slider.observe(pass_on, name)

    @property
    def value(self) -> tuple[float, ...]:
        """The values of all sliders, hidden ones included; may be set."""
        return tuple(round(slider.value, DIGITS) for slider in self.sliders)

    @value.setter
    def value(self, values: Sequence[float]) -> None:
        for slider, value in zip(self.sliders, values, strict=True):
            slider.value = value

    def show(self, count: int) -> None:
        """Show only the first `count` sliders."""
        if len(self.widget.children) != count:
            self.widget.children = self.sliders[:count]
