"""What cells show with widgets. Running a cell again closes what its last run made, because no page shows that now."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import ipywidgets as widgets

from . import layout
from .job import Job

ENDED = "The explorer that belongs to this was closed, for example because its cell was run again. Run this cell again."
_open: weakref.WeakSet[Live] = weakref.WeakSet()


class Live:
    """The base of what a cell shows. A constructor ends with `begin`.

    Attributes:
        widget: everything, as one ipywidget.
        loose: widgets that are not in `widget`, such as links and hidden sliders.
    """

    widget: Any
    loose: Sequence[widgets.Widget] = ()
    _made_in: tuple[str | None, int] = None, 0
    _belongs_to: Live | None = None

    def begin(self, beside: Live | None = None) -> None:
        """Close what an earlier run of this cell has made.

        Args:
            beside: the explorer that this belongs to, if any. When that is closed, a sentence takes the place of this.
        """
        self._made_in, self._belongs_to = _running(), beside
        cell, run = self._made_in
        for one in [one for one in _open if cell is not None and one._made_in[0] == cell and one._made_in[1] != run]:
            one.close()
        _open.add(self)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self.widget.comm is None

    def stop(self) -> None:
        """End the work in the background after its current step; does not wait."""
        for part in vars(self).values():
            if isinstance(part, Job):
                part.pause()

    def close(self) -> None:
        """End the work in the background and close all widgets. Running the cell again does the same."""
        self._leave(closes=True)
        _open.discard(self)
        for one in [one for one in _open if one._belongs_to is self]:
            one._leave(closes=False)

    def _leave(self, closes: bool) -> None:
        """Close the widgets, except those of the explorer that this belongs to; or say in their place that it ended."""
        self.stop()
        kept = set() if self._belongs_to is None else set(parts([self._belongs_to.widget]))
        mine = parts([self.widget, *self.loose])
        if not closes:
            kept |= {self.widget, self.widget.layout}
            self.widget.children = layout.style(), layout.text(ENDED, "pmp-status")
        for part in mine:
            if part not in kept:
                part.close()


def parts(roots: Iterable[widgets.Widget]) -> list[widgets.Widget]:
    """Return widgets and all that are in them, with their layouts and styles, from the outside to the inside."""
    found: dict[widgets.Widget, None] = {}
    left = list(roots)
    while left:
        part = left.pop(0)
        if isinstance(part, list | tuple):
            left += part
        elif isinstance(part, widgets.Widget) and part not in found:
            found[part] = None
            left += part.trait_values(sync=True).values()
    return list(found)


def _running() -> tuple[str | None, int]:
    """Return the cell that runs, and a number of its run. Where the page sends no name of a cell, its text counts."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return None, 0
    sent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return sent.get("metadata", {}).get("cellId") or shell.history_manager.input_hist_raw[-1], shell.execution_count
