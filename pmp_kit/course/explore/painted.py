"""The base of explorers in which evidence is painted: pixels on, off or free, and a control for what is there first."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np
from jaxtyping import Int

import pmp_kit as pk

from .explorer import Explorer
from .page.pixels import PixelPainter


class PaintedExplorer(Explorer):
    """An explorer whose `params` hold "evidence": what is painted. Another choice of `chooser` replaces it.

    Args:
        chosen: where that control stands first.
        cell: size of a pixel of the painter on the page.
    """

    chooser: str
    """The name of the control."""

    def __init__(self, chosen, cell: int = 24):
        self._chosen = chosen
        self.painter = PixelPainter(self.given(chosen), "evidence", cell=cell)
        self.painter.observe(self._changed)
        super().__init__()

    @abc.abstractmethod
    def given(self, chosen) -> Int[np.ndarray, "h w"]:
        """The evidence that goes with a choice: 0, 1, or FREE."""

    def extras(self):
        return [self.painter.widget]

    def params(self) -> dict[str, Any]:
        """The values of the controls and the evidence."""
        values = super().params()
        if values[self.chooser] != self._chosen:
            self._chosen = values[self.chooser]
            self.painter.values = self.given(self._chosen)
        return {**values, "evidence": self.painter.values}

    def exercise_more(self) -> int:
        """Paint a pixel each way, everything free, and what `more_to_paint` adds."""
        kept = self.painter.values
        corner = np.eye(*kept.shape, dtype=bool)
        settings = [np.where(corner, value, kept) for value in (0, 1, pk.FREE)]
        settings += [np.full(kept.shape, pk.FREE), *self.more_to_paint()]
        for values in settings:
            self.painter.values = values
        self.painter.values = kept
        return len(settings)

    def more_to_paint(self) -> list[Int[np.ndarray, "h w"]]:
        """Further evidence to try when the explorer is exercised."""
        return []
