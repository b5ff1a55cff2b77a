"""Drive a control through its range, for `exercise`: a few values of a slider, every option of a selection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as widgets

from . import stops

STOPS = 5  # values tried of a slider


def settings(name: str, control: Any) -> Iterator[Any]:
    """Set the control to one value after the other, yield each, and put back the old one.

    Selections are set by index: a value set from the front end's side does nothing.

    Raises:
        TypeError: no way to drive such a control is known.
    """
    if hasattr(control, "index") and hasattr(control, "options"):
        attribute, values = "index", range(len(control.options))
    elif isinstance(control, widgets.Checkbox | widgets.ToggleButton):
        attribute, values = "value", (not control.value, control.value)
    elif hasattr(control, "min") and hasattr(control, "max"):
        attribute, values = "value", stops.stops(control, STOPS)
    else:
        raise TypeError(
            f"{name}: expected a selection, a checkbox or a slider, got {type(control).__name__}; "
            "say here how it is driven"
        )
    old = getattr(control, attribute)
    for value in values:
        setattr(control, attribute, value)
        yield getattr(control, attribute)
    setattr(control, attribute, old)
