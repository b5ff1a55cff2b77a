"""The signs that pictures are made of: for each a small drawing (SVG) and what it means, the same in all pictures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .style import BAND, INK, METHODS, QUIET, TRUE, WRONG, diverging, probability

PURPLE, ORANGE = "#542788", "#E08214"  # of PuOr, for 1 and for 0
GREY = "#8C8C8C"
BLUE = METHODS["PMP"].colour
_ACROSS = 'x1="2" y1="10" x2="38" y2="10"'


class Sign(NamedTuple):
    """A sign of a picture.

    Attributes:
        drawing: elements of an SVG of 40 x 20 pixels.
        words: one sentence that says what the sign means.
    """

    drawing: str
    words: str


def _circle(fill: str, ring: str, radius: float = 8, width: float = 1) -> str:
    return f'<circle cx="20" cy="10" r="{radius}" fill="{fill}" stroke="{ring}" stroke-width="{width}"/>'


def _square(fill: str, side: float, x: float = 20, edge: str = GREY, width: float = 1) -> str:
    place = f'x="{x - side / 2}" y="{10 - side / 2}" width="{side}" height="{side}"'
    return f'<rect {place} fill="{fill}" stroke="{edge}" stroke-width="{width}"/>'


def _line(colour: str, width: float, place: str = _ACROSS, dash: str = "") -> str:
    return f'<line {place} stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash or "none"}"/>'


def _tick(colour: str, width: float) -> str:
    return _circle("white", GREY, 9) + _circle("white", GREY, 5) + _line(colour, width, 'x1="20" y1="1" x2="20" y2="6"')


def _arrow(colour: str, y: float, width: float) -> str:
    half = 1.2 * width
    return (
        f'<path d="M3 {y} H{36 - 2 * half}" stroke="{colour}" stroke-width="{width}" fill="none"/>'
        f'<path d="M{36 - 2 * half} {y - half} L37 {y} L{36 - 2 * half} {y + half} Z" fill="{colour}"/>'
    )


def _map(colours: np.ndarray) -> str:
    """Return a row of nine squares in the colours of a map."""
    hexes = ["#" + "".join(f"{part:02x}" for part in colour.tolist()) for colour in colours]
    return "".join(f'<rect x="{2 + 4 * k}" y="4" width="4" height="12" fill="{c}"/>' for k, c in enumerate(hexes))


_NINTHS = np.linspace(0, 1, 9)

SIGNS = {
    "belief": Sign(
        _circle(PURPLE, GREY).replace('cx="20"', 'cx="11"') + _circle(ORANGE, GREY).replace('cx="20"', 'cx="29"'),
        "Fill of a disk: the belief. Purple favours 1, orange 0, white neither.",
    ),
    "noise": Sign(_circle("white", PURPLE, 7, 4), "Ring: the noise on a variable, in the same colours."),
    "state": Sign(
        _square("black", 9, 12) + _square("white", 9, 28), "Small square: the decoded state, black 1, white 0."
    ),
    "message": Sign(
        _arrow(ORANGE, 5, 2) + _arrow(PURPLE, 14, 4.5),
        "Arrow: a message. It is wider and darker if it is stronger. Purple favours 1, orange 0.",
    ),
    "truth": Sign(_tick(TRUE, 2), "Black tick: the true state, 1 at the top, 0 at the bottom."),
    "wrong": Sign(_tick(WRONG, 5), "Wide red tick: the decoded state differs from the truth."),
    "edge": Sign(_line(GREY, 1.5), "Thin grey line: two variables are coupled."),
    "dashed edge": Sign(_line(GREY, 1.5, dash="5 5"), "Dashed grey line: different states score higher."),
    "exact": Sign(_line(TRUE, 2.5), "Black line: the truth, computed exactly."),
    "cursor": Sign(
        _line(QUIET, 1.5, 'x1="20" y1="1" x2="20" y2="19"', "4 2"), "Dashed grey line: where the slider stands."
    ),
    "curve": Sign(
        f'<path d="M2 4 Q10 16 38 16" fill="none" stroke="{BLUE}" stroke-width="2"/>',
        "Blue curve: one value for each sweep. The point is the sweep that is shown.",
    ),
    "best so far": Sign(_line("#555555", 1.5, dash="5 3"), "Dashed line: the best score so far."),
    "error": Sign(
        f'<rect x="2" y="4" width="36" height="12" fill="{BLUE}" opacity="0.25"/>' + _line(BLUE, 2),
        "Pale band or thin bar: the error of a mean.",
    ),
    "band": Sign(f'<rect x="2" y="4" width="36" height="12" fill="{BAND}"/>', "Grey band: where exact samples lie."),
    "pixels": Sign(
        _square("black", 12, 12, INK) + _square("white", 12, 28, INK), "Black pixel: state 1. White pixel: state 0."
    ),
    "probability": Sign(_map(probability(_NINTHS)), "Dark blue to yellow: a probability from 0 to 1."),
    "value": Sign(
        _map(diverging(2 * _NINTHS - 1, 1.0)),
        "Orange over white to purple: a value from negative over 0 to positive.",
    ),
    "broken": Sign(_square("white", 13, 20, WRONG, 4), "Thick red frame: a hard constraint is violated."),
    "incoming": Sign(_square("#9A9A9A", 12), "Grey bar: an incoming message."),
}
"""Name -> sign. The methods of `METHODS` are signs too, see `sign`."""

_MARKS = {
    "o": '<circle cx="20" cy="10" r="5" fill="{0}"/>',
    "s": '<rect x="15" y="5" width="10" height="10" fill="{0}"/>',
    "^": '<path d="M20 4 L26 15 L14 15 Z" fill="{0}"/>',
    "v": '<path d="M20 16 L26 5 L14 5 Z" fill="{0}"/>',
    "D": '<path d="M20 3 L27 10 L20 17 L13 10 Z" fill="{0}"/>',
    "p": '<path d="M20 4 L26 8.5 L23.7 15.5 L16.3 15.5 L14 8.5 Z" fill="{0}"/>',
    "P": '<path d="M18 4 h4 v4 h4 v4 h-4 v4 h-4 v-4 h-4 v-4 h4 Z" fill="{0}"/>',
    "x": '<path d="M15 5 L25 15 M25 5 L15 15" stroke="{0}" stroke-width="2.5"/>',
    "_": '<rect x="12" y="8.5" width="16" height="3" fill="{0}"/>',
}
_DASHES = {"-": "", "--": "5 3", ":": "2 2"}


def sign(name: str) -> Sign:
    """Return a sign of SIGNS, or the colour, line and mark of a method of METHODS.

    Raises:
        ValueError: neither has this name.
    """
    if name in SIGNS:
        return SIGNS[name]
    if name not in METHODS:
        raise ValueError(f"name: expected one of {', '.join((*SIGNS, *METHODS))}, got {name!r}; add it to SIGNS")
    style = METHODS[name]
    return Sign(
        _line(style.colour, 1.5, dash=_DASHES[style.line]) + _MARKS[style.mark].format(style.colour),
        f"Colour and mark of {name}.",
    )


def svg(drawn: Sign) -> str:
    """Return the drawing of a sign as an SVG on white paper."""
    size = 'width="40" height="20" viewBox="0 0 40 20"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-hidden="true">{drawn.drawing}</svg>'
