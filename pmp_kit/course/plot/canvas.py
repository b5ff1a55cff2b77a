"""Figures for pictures that change. matplotlib is imported on first use.

Everything that stays the same is drawn once, as the background. A new picture restores the background and draws the
artists that move.
"""

from __future__ import annotations

import threading

import numpy as np

from .pixels import Image
from .png import png
from .style import FAINT, INK, QUIET, TEXT, WRITING

_DRAWING = threading.Lock()
"""Held while matplotlib draws: jobs of explorers and cells draw in threads, and figures share matplotlib's caches."""


class Canvas:
    """A matplotlib figure that is drawn once and repainted in milliseconds.

    Args:
        width, height: size on the page in CSS pixels.
        density: image pixels for a CSS pixel. 2 is sharp on dense screens and needs four times the pixels of 1.
    """

    def __init__(self, width: int, height: int, density: float = 1.5):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height, self.density = width, height, density
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72 * density, facecolor="white")
        self._agg = FigureCanvasAgg(self.figure)
        self._moving: list = []
        self._background = None

    def axes(self, left: float, bottom: float, width: float, height: float):
        """Add axes in the style of the kit, at a place in fractions of the figure."""
        axes = self.figure.add_axes((left, bottom, width, height))
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set(color=FAINT, linewidth=0.8)
        axes.tick_params(color=FAINT, labelcolor=INK, labelsize=TEXT - 1, width=0.8, length=3)
        return axes

    def write(self, left: float, top: float, words: str, **look):
        """Write words; their baseline begins at a place in CSS pixels, measured from the left and the top."""
        return self.figure.text(left / self.width, 1 - top / self.height, words, **WRITING | look)

    @staticmethod
    def cursor(axes, top: float = 1.0):
        """Add the upright line that shows where a slider stands, up to a share of the height of the axes."""
        return axes.axvline(1.0, 0.0, top, color=QUIET, linewidth=1.2, linestyle="--")

    def moving(self, *artists):
        """Declare the artists that change from picture to picture, in drawing order."""
        for artist in artists:
            artist.set_animated(True)
        self._moving.extend(artists)

    def redraw(self):
        """Draw the background again for the next picture: for changes of limits, ticks or labels."""
        self._background = None

    def pixels(self) -> Image:
        """Return the picture as it is now."""
        with _DRAWING:
            if self._background is None:
                self._agg.draw()
                self._background = self._agg.copy_from_bbox(self.figure.bbox)
            else:
                self._agg.restore_region(self._background)
            for artist in self._moving:
                artist.axes.draw_artist(artist)
            painted = np.asarray(self._agg.buffer_rgba())
            pixels = np.empty((*painted.shape[:2], 3), np.uint8)
            for channel in range(3):  # four times as fast as a copy of [..., :3]
                pixels[..., channel] = painted[..., channel]
        return pixels

    def png(self) -> bytes:
        """Return the picture as it is now, as a PNG."""
        return png(self.pixels())
