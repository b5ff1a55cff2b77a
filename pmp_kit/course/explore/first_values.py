"""The first values of controls: the arguments with which a reader makes an explorer."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
from traitlets import TraitError

from .stops import stops


def arguments(first: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments among the `locals()` of a constructor; its class is there because it calls `super`."""
    taken = inspect.signature(first["__class__"]).parameters if "__class__" in first else first
    return {name: first[name] for name in taken if name in first}


def set_control(control: Any, name: str, value: Any) -> None:
    """Set the first value of a control. Raise ValueError if it cannot have it: a slider would take its nearest end."""
    try:
        control.value = value
    except TraitError:
        taken = False
    else:  # lists of options accept None, which chooses none of them
        moved = hasattr(control, "max") and isinstance(value, (int, float, np.number))
        taken = control.value == value if moved else value is not None
    if not taken:
        slides = hasattr(control, "min")
        expected = f"from {control.min:g} to {control.max:g}" if slides else f"one of {stops(control)}"
        raise ValueError(f"{name}: expected {expected}, got {value!r}")
