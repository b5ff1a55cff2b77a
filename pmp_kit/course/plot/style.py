"""Colours, marks and colour maps: how a method, a message and a probability look everywhere."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np


class Style(NamedTuple):
    """How a method looks everywhere: its Okabe-Ito colour, its mark and its line."""

    colour: str
    mark: str
    line: str = "-"


METHODS = {
    "PMP": Style("#0072B2", "o"),
    "Gibbs": Style("#E69F00", "s"),
    "Gibbs-with-gradients": Style("#009E73", "^"),
    "DMALA": Style("#CC79A7", "p"),
    "block Gibbs": Style("#D55E00", "D"),
    "LP": Style("#7F7F7F", "v", "--"),
    "MPLP": Style("#7F7F7F", "P", ":"),
    "exact": Style("#000000", "_"),
    "data": Style("#56B4E9", "x"),
}

INK = "#333333"  # text and axes
FAINT = "#BBBBBB"  # grid lines and outlines that should not shout
QUIET = "#6B6B6B"  # words and lines that stand back, and can still be read


def rgb(colour: str) -> np.ndarray:
    """'#RRGGBB' as (3,) uint8."""
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)


@functools.cache
def colour_map(name: str) -> np.ndarray:
    """The (256, 3) uint8 table of a matplotlib colour map."""
    import matplotlib

    return (matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3] * 255 + 0.5).astype(np.uint8)


def diverging(values: np.ndarray, limit: float) -> np.ndarray:
    """Messages and beliefs: PuOr centred at 0, clipped at -limit and limit. (...) -> (..., 3) uint8."""
    return colour_map("PuOr")[np.clip((np.asarray(values) / limit + 1) * 127.5 + 0.5, 0, 255).astype(np.intp)]


def probability(values: np.ndarray) -> np.ndarray:
    """Probabilities: cividis from 0 to 1. (...) -> (..., 3) uint8."""
    return colour_map("cividis")[np.clip(np.asarray(values) * 255 + 0.5, 0, 255).astype(np.intp)]
