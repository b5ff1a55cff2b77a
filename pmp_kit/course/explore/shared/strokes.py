"""First strokes for explorers that are painted on: lines for outlines, and shapes as wide as a pen."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Int

import pmp_kit as pk

LINES = {
    "narrow": ([9, 19], [10, 10]),
    "wide": ([12, 18], [5, 5]),
    "slanted": ([21, 9], [7, 13]),
    "roof": ([5, 5], [14, 19]),
    "nothing": ([], []),
}
"""Rows and columns of both ends of a line, on 30 x 30 pixels."""
PENS = "nothing", "a stroke down", "a bar on top", "a ring above", "a ring below"


def line(name: str, shape: tuple[int, int]) -> Int[np.ndarray, "h w"]:
    """Return evidence: a line of ink, one pixel wide; all other pixels free."""
    evidence = np.full(shape, pk.FREE, np.int32)
    rows, columns = (np.array(ends) * shape[axis] / 30 for axis, ends in enumerate(LINES[name]))
    if rows.size:
        along = np.linspace(0, 1, 2 * max(shape))
        at = (np.rint(ends[0] + along * (ends[1] - ends[0])).astype(int) for ends in (rows, columns))
        evidence[tuple(at)] = 1
    return evidence


def pen(name: str, side: int) -> Int[np.ndarray, "side side"]:
    """Return evidence: a shape as wide as a pen, its surroundings off, the rest free; lengths as in 28 x 28 pixels."""
    row, column = (np.mgrid[:side, :side] - (side - 1) / 2) * 28 / side
    far: dict[str, np.ndarray] = {
        "a stroke down": np.hypot(column, np.maximum(np.abs(row) - 7, 0)),
        "a bar on top": np.hypot(row + 7, np.maximum(np.abs(column) - 4, 0)),
        "a ring above": np.abs(np.hypot(row + 5, column) - 4),
        "a ring below": np.abs(np.hypot(row - 5, column) - 4),
    }
    if name not in far:
        return np.full((side, side), pk.FREE, np.int32)
    ink: Bool[np.ndarray, "side side"] = far[name] < 1.2
    return np.where(ink, 1, np.where(far[name] < 3, 0, pk.FREE)).astype(np.int32)
