"""Hear of every change of an explorer: its controls, and all else that changes its picture."""

from __future__ import annotations

from collections.abc import Callable

from ..explorer import Explorer


class Watch:
    """Calls a function after every change of an explorer, until it ends or the explorer has a new watch.

    Args:
        explorer: what is watched; it has one watch at a time, because the cell of a map may be run again.
        moved: called with the change.
        ended: called without arguments when the watch has ended.

    Attributes:
        over: whether it has ended.
    """

    def __init__(self, explorer: Explorer, moved: Callable[[dict], None], ended: Callable[[], None]):
        self.over, self._moved, self._ended = False, moved, ended
        picture = getattr(explorer.picture, "widget", explorer.picture)
        self._watched = [(control, "value") for control in explorer.controls.values()]
        self._watched += [(picture, trait) for trait in ("image", "clip", "frame") if picture.has_trait(trait)]
        for part, trait in self._watched:
            part.observe(moved, trait)
        if explorer.watch is not None:
            explorer.watch.end()
        explorer.watch = self

    def end(self) -> None:
        """Hear of no further change."""
        self.over = True
        while self._watched:
            part, trait = self._watched.pop()
            part.unobserve(self._moved, trait)
        self._ended()
