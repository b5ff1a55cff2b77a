"""The values of a control that a map, an animation, or a page without a kernel has."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST = 101  # of a slider with more values


def stops(control: Any, most: int = MOST) -> list[Any]:
    """Return the values of a control in order; of a slider at most `most`, evenly spread."""
    if hasattr(control, "options"):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if not hasattr(control, "step"):
        return [False, True]
    whole = isinstance(control.value, int)
    count = round((control.max - control.min) / control.step)
    values = [control.min + control.step * step for step in spread(count, most)]
    return [int(value) if whole else round(value, 10) for value in values]


def spread(last: int, most: int = MOST) -> list[int]:
    """Return at most `most` numbers from 0 to `last`, evenly spread."""
    return np.unique(np.linspace(0, last, min(last + 1, most)).round().astype(int)).tolist()
