"""Arrays to pictures: styles, canvases, pixels. Imports neither JAX nor widgets nor pyplot."""

from .canvas import Canvas
from .listing import Listing
from .png import png
from .style import (
    BAND,
    FAINT,
    INK,
    METHODS,
    QUIET,
    RIGHT,
    SYMBOLS,
    TEXT,
    TRUE,
    WRITING,
    WRONG,
    Style,
    colour_map,
    diverging,
    probability,
    readable,
    rgb,
)
from .tuned import tuned_figure

__all__ = [
    "BAND",
    "FAINT",
    "INK",
    "METHODS",
    "QUIET",
    "RIGHT",
    "SYMBOLS",
    "TEXT",
    "TRUE",
    "WRITING",
    "WRONG",
    "Canvas",
    "Listing",
    "Style",
    "colour_map",
    "diverging",
    "png",
    "probability",
    "readable",
    "rgb",
    "tuned_figure",
]
