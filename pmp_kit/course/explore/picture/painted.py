"""The base of explorers in which the reader paints evidence: pixels on, off or free."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Int

import pmp_kit as pk

from .explorer import Explorer, Picture

FREE = 2
"""In the bytes that go to the page, see paint.js."""


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


def sent(evidence: Int[np.ndarray, "h w"]) -> Int[np.ndarray, "h w"]:
    """Return evidence as the bytes that the page draws: 0 off, 1 on, 2 free."""
    return np.where(evidence == pk.FREE, FREE, evidence).astype(np.uint8)


class Board:
    """What is painted in the page, as an input beside the controls. Its value is one word for each row of pixels."""

    def __init__(self, picture: Picture, shape: tuple[int, ...]):
        self._picture, self._shape = picture, shape

    @property
    def value(self) -> tuple[str, ...]:
        """One word for each row: 1 on, 0 off, . free."""
        pixels = np.frombuffer(self._picture.painted or b"", np.uint8).reshape(self._shape).astype(np.int32)
        return tuple(written(np.where(pixels == FREE, pk.FREE, pixels)))

    @value.setter
    def value(self, rows: tuple[str, ...]) -> None:
        self._picture.painted = sent(read(rows, self._shape)).tobytes()

    def observe(self, moved: Callable[[Any], None], name: str) -> None:
        """Call a function for every stroke."""
        self._picture.observe(moved, "painted")


class Painted(Explorer):
    """An explorer whose params hold what is painted as "painted". Another value of one control replaces it.

    The class takes an argument `painted`: the first pixels, or None for those of the control.
    """

    more = ("painted",)
    chooser: str
    """The name of that control."""

    @abc.abstractmethod
    def given(self, chosen: Any) -> Int[np.ndarray, "h w"]:
        """Return the evidence that belongs to a value of the control: 0, 1 or FREE."""

    def make_inputs(self) -> dict[str, Any]:
        """Add the board, whose pixels are those of the first value of the control until `completed` is called."""
        chosen = self.controls[self.chooser].value
        board = Board(self.picture, self.given(chosen).shape)
        board.value = self._rows(chosen) if self._first["painted"] is None else tuple(self._first["painted"])
        return super().make_inputs() | {"painted": board}

    def evidence(self, params: dict[str, Any]) -> Int[np.ndarray, "h w"]:
        """Return what is painted: 0, 1 or FREE."""
        return read(params["painted"], self.given(params[self.chooser]).shape)

    def changed(self, params: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        """Return the params after one was set: another value of the chooser replaces what is painted."""
        return super().changed(params, name, value) | ({"painted": self._rows(value)} if name == self.chooser else {})

    def completed(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the params with the pixels of the chooser where none are given."""
        rows = params["painted"]
        return params | {"painted": self._rows(params[self.chooser]) if rows is None else tuple(rows)}

    def view(self) -> dict[str, Any]:
        """Return the params, with None for pixels that are those of the chooser."""
        own = self.params["painted"] == self._rows(self.params[self.chooser])
        return self.params | ({"painted": None} if own else {})

    def arguments(self) -> dict[str, Any]:
        """Leave out pixels that are those of the chooser."""
        values, view = super().arguments(), self.view()
        return {name: value for name, value in values.items() if view.get(name, value) is not None}

    def _rows(self, chosen: Any) -> tuple[str, ...]:
        return tuple(written(self.given(chosen)))
