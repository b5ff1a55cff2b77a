"""Arrays to pictures: styles, kept figures, pixels. Knows neither JAX nor widgets, and no pyplot."""

from .canvas import Canvas
from .png import indexed_png, png
from .style import FAINT, INK, METHODS, QUIET, Style, colour_map, diverging, probability, rgb

__all__ = [
    "FAINT",
    "INK",
    "METHODS",
    "QUIET",
    "Canvas",
    "Style",
    "colour_map",
    "diverging",
    "indexed_png",
    "png",
    "probability",
    "rgb",
]
