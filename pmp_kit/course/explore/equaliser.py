"""A row of upright sliders above the controls of an explorer, one for each number of a short list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as widgets


class Equaliser:
    """Sliders in a row.

    Args:
        values: the first values.
        reach: the sliders go from -reach to reach.
        label: of each slider, before its number.
        changed: called with ipywidgets' change whenever one moves.
    """

    def __init__(self, values: Sequence[float], reach: float, label: str, changed: Callable):
        self.reach = reach
        self.sliders = [self._slider(f"{label} {number + 1}", value) for number, value in enumerate(values)]
        self.widget = widgets.HBox(self.sliders, layout=widgets.Layout(margin="0 0 8px 0"))
        for slider in self.sliders:
            slider.observe(changed, "value")

    def _slider(self, name: str, value: float) -> widgets.FloatSlider:
        slider = widgets.FloatSlider(
            value=value,
            min=-self.reach,
            max=self.reach,
            step=0.1,
            orientation="vertical",
            readout_format=".1f",
            layout=widgets.Layout(width="46px", height="150px", margin="0"),
        )
        slider.description = name
        slider.add_class("pmp-upright")
        return slider

    @property
    def values(self) -> tuple[float, ...]:
        """The values of all sliders, hidden ones included; may be set."""
        return tuple(slider.value for slider in self.sliders)

    @values.setter
    def values(self, values: Sequence[float]) -> None:
        for slider, value in zip(self.sliders, values, strict=True):
            slider.value = value

    def show(self, count: int) -> None:
        """Show only the first `count` sliders."""
        if len(self.widget.children) != count:
            self.widget.children = self.sliders[:count]
