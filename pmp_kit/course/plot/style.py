"""Colours, marks and colour maps of methods, messages and probabilities, the same in all pictures."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np


class Style(NamedTuple):
    """The Okabe-Ito colour, the mark and the line of a method."""

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

SYMBOLS = {"o": "●", "s": "■", "^": "▲", "p": "⬟"}  # the marks of samplers as characters
INK = "#333333"  # text and axes
FAINT = "#BBBBBB"  # grid lines and outlines
QUIET = "#6B6B6B"  # less important words and lines; dark enough for text
TRUE = METHODS["exact"].colour  # ticks and lines that show the truth
WRONG = "#CC0000"  # ticks and pixels that differ from the truth, and answers that are wrong
RIGHT = "#689F38"  # answers that are right; no method has this green
BAND = "#DDDDDD"  # where exact samples lie
TEXT = 13  # font size in pictures, in CSS pixels: that of widgets
WRITING: dict[str, Any] = {"fontsize": TEXT, "color": INK}  # of words in pictures, for matplotlib


_READABLE = {"#E69F00": "#A86B00", "#009E73": "#007A58", "#CC79A7": "#9C3F76", "#7F7F7F": "#5F5F5F"}


def readable(colour: str) -> str:
    """Return the colour of a method, darker where it is too pale for text."""
    return _READABLE.get(colour, colour)


def rgb(colour: str) -> np.ndarray:
    """Return '#RRGGBB' as (3,) uint8."""
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)


@functools.cache
def colour_map(name: str) -> np.ndarray:
    """Return the (256, 3) uint8 table of a matplotlib colour map."""
    import matplotlib

    return (matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3] * 255 + 0.5).astype(np.uint8)


def diverging(values: np.ndarray, limit: float) -> np.ndarray:
    """Colour messages and beliefs: PuOr centred at 0, clipped at -limit and limit. (...) -> (..., 3) uint8."""
    return colour_map("PuOr")[np.clip((np.asarray(values) / limit + 1) * 127.5 + 0.5, 0, 255).astype(np.intp)]


def probability(values: np.ndarray) -> np.ndarray:
    """Colour probabilities: cividis from 0 to 1. (...) -> (..., 3) uint8."""
    return colour_map("cividis")[np.clip(np.asarray(values) * 255 + 0.5, 0, 255).astype(np.intp)]
