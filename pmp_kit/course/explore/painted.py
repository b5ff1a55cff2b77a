"""The base of explorers in which the reader paints evidence: pixels on, off or free."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

import numpy as np
from jaxtyping import Int

import pmp_kit as pk

from .explorer import Explorer
from .page.pixels import PixelPainter


class PaintedExplorer(Explorer):
    """An explorer whose `params` hold "evidence": what is painted. Another value of one control replaces it.

    Args:
        first: as for `Explorer`.
        cell: size of a pixel of the painter on the page.
    """

    chooser: str
    """The name of that control."""

    def __init__(self, first: Mapping[str, Any], cell: int = 24):
        self._chosen = first[self.chooser]
        self.painter = PixelPainter(self.given(self._chosen), "evidence", cell=cell)
        self.painter.observe(self._changed)
        super().__init__(first)

    @abc.abstractmethod
    def given(self, chosen) -> Int[np.ndarray, "h w"]:
        """Return the evidence that belongs to a value of the control: 0, 1 or FREE."""

    def extras(self):
        return [self.painter.widget]

    def params(self) -> dict[str, Any]:
        """Return the values of the controls and the evidence."""
        values = super().params()
        if values[self.chooser] != self._chosen:
            self._chosen = values[self.chooser]
            self.painter.values = self.given(self._chosen)
        return {**values, "evidence": self.painter.values}

    def exercise_more(self) -> int:
        """Paint a pixel on, off and free, then everything free, then what `more_to_paint` adds."""
        kept = self.painter.values
        corner = np.eye(*kept.shape, dtype=bool)
        settings = [np.where(corner, value, kept) for value in (0, 1, pk.FREE)]
        settings += [np.full(kept.shape, pk.FREE), *self.more_to_paint()]
        for values in settings:
            self.painter.values = values
        self.painter.values = kept
        return len(settings)

    def more_to_paint(self) -> list[Int[np.ndarray, "h w"]]:
        """Return further evidence to try when the explorer is exercised."""
        return []
