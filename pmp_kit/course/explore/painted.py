"""The base of explorers in which the reader paints evidence: pixels on, off or free."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Int

import pmp_kit as pk

from .explorer import Explorer
from .page.pixels import PixelPainter

SIGNS = {0: "0", 1: "1", pk.FREE: "."}


def written(values: Int[np.ndarray, "h w"]) -> list[str]:
    """Write pixels as one word for each row: 1 on, 0 off, . free."""
    return ["".join(SIGNS[value] for value in row) for row in values.tolist()]


def read(rows: Sequence[str], shape: tuple[int, ...]) -> Int[np.ndarray, "h w"]:
    """Read what `written` wrote.

    Raises:
        ValueError: the rows have other signs or another shape.
    """
    values = {sign: value for value, sign in SIGNS.items()}
    if [len(row) for row in rows] != [shape[1]] * shape[0] or set("".join(rows)) - set(values):
        raise ValueError(
            f"painted: expected {shape[0]} words of {shape[1]} signs, each 0 (off), 1 (on) or . (free), got "
            f"{list(rows)!r}; copy them from a view"
        )
    return np.array([[values[sign] for sign in row] for row in rows], np.int32)


class PaintedExplorer(Explorer):
    """An explorer whose `params` hold what is painted as "pixels". Another value of one control replaces it.

    Args:
        first: as for `Explorer`. Its "painted", if any, are the first pixels as `written` writes them.
        cell: size of a pixel of the painter on the page.
    """

    chooser: str
    """The name of that control."""

    def __init__(self, first: Mapping[str, Any], cell: int = 24):
        self._cell = cell
        super().__init__(first)

    @abc.abstractmethod
    def given(self, chosen) -> Int[np.ndarray, "h w"]:
        """Return the evidence that belongs to a value of the control: 0, 1 or FREE."""

    def extras(self):
        """Make the painter now, because only a value that the chooser accepts has evidence."""
        self._chosen, painted = self._first[self.chooser], self._first.get("painted")
        given = self.given(self._chosen)
        values = given if painted is None else read(painted, given.shape)
        self.painter = PixelPainter(values, "evidence", cell=self._cell)
        self.painter.observe(self._changed)
        return [self.painter.widget]

    def params(self) -> dict[str, Any]:
        """Return the values of the controls and what is painted; another value of the chooser replaces it."""
        values = super().params()
        if values[self.chooser] != self._chosen:
            self._chosen = values[self.chooser]
            self.painter.values = self.given(self._chosen)
        return values | {"pixels": self.painter.values}

    def moved(self, params: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        """Return `params` after changes; another value of the chooser replaces what is painted."""
        after = super().moved(params, changes)
        chosen = after[self.chooser]
        return after if chosen == params[self.chooser] else after | {"pixels": self.given(chosen)}

    def asked(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return `params` without what is painted, and without the chooser, which only sets what is painted."""
        return {name: value for name, value in params.items() if name not in (self.chooser, "pixels")}

    def view(self) -> dict[str, Any]:
        """Return the values of the controls, and the painted pixels where they are not those of the chosen evidence."""
        own = (self.painter.values != self.given(self._chosen)).any()
        return super().view() | {"painted": written(self.painter.values) if own else None}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the painted pixels."""
        super().set_view(values)
        self._chosen, painted = values[self.chooser], values["painted"]
        given = self.given(self._chosen)
        self.painter.values = given if painted is None else read(painted, given.shape)

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
