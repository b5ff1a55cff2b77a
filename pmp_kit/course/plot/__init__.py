"""Arrays to pictures: styles, canvases, pixels. Imports neither JAX nor widgets nor pyplot."""

from .canvas import Canvas
from .png import png
from .scales import ROOT_SCALE
from .style import FAINT, INK, METHODS, QUIET, TEXT, TRUE, WRONG, Style, colour_map, diverging, probability, rgb
from .tuned import tuned_figure

__all__ = [
    "FAINT",
    "INK",
    "METHODS",
    "QUIET",
    "ROOT_SCALE",
    "TEXT",
    "TRUE",
    "WRONG",
    "Canvas",
    "Style",
    "colour_map",
    "diverging",
    "png",
    "probability",
    "rgb",
    "tuned_figure",
]
