"""What `Predict`, `PhaseMap` and `Linked` ask of an explorer, until they are ported to this base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Before:
    """The part of the old base that these three use."""

    params: dict[str, Any]
    picture: Any
    says: Callable[[Any], str]
    watch: Any = None
    """Of the `PhaseMap` that was made last; a new one ends it."""
    playing = ""
    """The control that a player beside it moves; here the page plays."""

    def view(self) -> dict[str, Any]:
        """Return the values that the picture depends on."""
        return dict(self.params)

    def describe(self, state: Any) -> str:
        """Return the sentence of a state, under the name that the old base has."""
        return self.says(state)

    def freeze_noise(self) -> None:
        """Keep the present noise: it changes only with the seed."""

    def show_picture(self) -> None:
        """Scroll the picture into view."""
        self.picture.send({"scroll": True})
