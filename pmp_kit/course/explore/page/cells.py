"""A picture of a grid of settings; the reader chooses a cell with the mouse or the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import traitlets
from jaxtyping import Float

from . import sources
from .still import Still, StillView


class _CellsView(StillView):
    """The widget. The values travel beside the picture, so that the page can say them without the kernel."""

    _esm = sources.module("cells.js")
    _css = sources.style()
    grid = traitlets.Dict().tag(sync=True)
    x_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    y_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.Bytes().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    measure = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    marker = traitlets.List(traitlets.Int(), [-1, -1]).tag(sync=True)
    chosen = traitlets.List(traitlets.Int(), [0, 0, 0]).tag(sync=True)


class Cells(Still):
    """A picture with a grid of cells.

    Args:
        width: width on the page in CSS pixels.
        grid: left, top, wide, high (of a cell), in image pixels, rows and columns. Row 0 is at the bottom.
        x_words, y_words: what to say of each column and of each row, for example "damping 0.5".
        names: of the values, where they are categories.
        measure: what the values are.
        label: text that describes the picture to screen readers.
    """

    def __init__(
        self,
        width: int,
        grid: dict[str, int],
        x_words: Sequence[str],
        y_words: Sequence[str],
        names: Sequence[str],
        measure: str,
        label: str,
    ):
        self._view = _CellsView(grid=grid, names=list(names), measure=measure, label=label)
        self._view.x_words, self._view.y_words = list(x_words), list(y_words)
        super().__init__(width, self._view)

    def tell(self, values: Float[np.ndarray, "rows columns"]) -> None:
        """Send the values of the cells; NaN is not computed yet."""
        self._view.values = np.asarray(values, "<f4").tobytes()

    def mark(self, row: int, column: int) -> None:
        """Outline a cell; -1 stands for all rows or all columns."""
        self._view.marker = [row, column]

    def choose(self, row: int, column: int) -> None:
        """Do what a click on a cell does."""
        self._view.chosen = [row, column, self._view.chosen[2] + 1]

    def on_choice(self, act: Callable[[int, int], None]) -> None:
        """Call act(row, column) whenever the reader chooses a cell."""
        self._view.observe(lambda change: act(*change["new"][:2]), "chosen")
