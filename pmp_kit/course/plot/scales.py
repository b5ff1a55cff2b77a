"""Axes on which small and large distances from zero can both be read."""

from __future__ import annotations

import numpy as np


def signed_root(values: np.ndarray) -> np.ndarray:
    """The square root of the absolute value, with the sign of the value."""
    return np.sign(values) * np.sqrt(np.abs(values))


def signed_square(values: np.ndarray) -> np.ndarray:
    """The inverse of `signed_root`."""
    return np.sign(values) * values**2


ROOT_SCALE = {"value": "function", "functions": (signed_root, signed_square)}
"""Arguments of `axes.set_xscale` and `axes.set_yscale`."""
