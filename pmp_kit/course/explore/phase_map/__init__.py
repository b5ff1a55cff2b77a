"""Phase map: a heat map of the settings of two controls of an explorer, coloured by a measure."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import numpy as np

from ... import plot
from .. import layout
from ..job import Job
from ..picture import Explorer, page
from . import compute
from .compute import State, Work
from .measures import CLOSEST, EXACT, OUTCOME, SETTLED, Measure, as_measure

__all__ = ["CLOSEST", "EXACT", "OUTCOME", "SETTLED", "Measure", "PhaseMap"]


class PhaseMap(Explorer):
    """A map of the settings of two controls, coloured by a measure; a click loads a setting into the explorer.

    A press of its button computes it in the background, for the values that the other controls have then. The map has
    the lock of the explorer.

    Args:
        explorer: its `compute_many` gives the states.
        x, y: names of controls. With a measure by sweeps, y is "sweeps", or "sweep" for the frames of the player.
        measure: a `Measure`, or a function state -> number.

    Raises:
        ValueError: the explorer has no such controls, or the measure does not fit to them.
    """

    title = "Phase map"

    def __init__(self, explorer: Explorer, x: str, y: str, measure: Measure | Callable[[Any], float]):
        self.explorer, self.measure = explorer, as_measure(measure)
        self.x, self.y = compute.axes(explorer, x, y, self.measure)
        self.caption = layout.marked(
            "Each cell is a setting of <b>{}</b> and <b>{}</b> of <i>{}</i>. The colour shows the {}. Striped cells "
            "are not computed yet. The outline marks the present setting.",
            *(x, y, explorer.title, self.measure.label),
        )
        self._new = functools.partial(Work, explorer, self.x, self.y, self.measure)
        self.work = self._new()
        self.job = Job("phase map", self._step, self._failed, lambda: self.work.over)
        super().__init__(locals(), beside=explorer)

    def extras(self) -> list[widgets.Widget]:
        self.button = widgets.Button()
        self.button.on_click(lambda _: self.press())
        self._progress = widgets.IntProgress(min=0, max=self.work.total)
        hint = "Click a cell, or press Enter on it, to load its setting into the explorer."
        row = widgets.HBox([self.button, self._progress])
        row.add_class("pmp-job")
        return [row, layout.text(hint, "pmp-note")]

    def completed(self, params):
        """Return what the map shows at first: it is in the name of its still."""
        return {"map": [self.explorer.title, self.x.name, self.y.name, self.measure.label], **self.explorer.params}

    def compute(self, params) -> State:
        """Return the finished map, for pages without a kernel."""
        work = self._new()
        while not work.over:
            work.step(self.lock)
        return work.state()._replace(locked="")

    def compute_shown(self, params) -> State:
        return self.work.state()

    def frame(self, state: State) -> dict[str, Any]:
        words = [[layout.typeset(layout.short(stop)) for stop in axis.stops] for axis in (self.x, self.y)]
        known = state.values[~np.isnan(state.values)]
        return {
            "values": state.values,
            "x": {"name": self.x.name, "words": words[0]},
            "y": {"name": self.y.name, "words": words[1]},
            "label": self.measure.label,
            "names": list(self.measure.names),
            "colours": [plot.rgb(colour).tolist() for colour in self.measure.names.values()],
            "limits": self.measure.limits or ([float(known.min()), float(known.max())] if len(known) else [0, 1]),
            "draws": self.measure.draws,
            "here": state.here,
        }

    def says(self, state: State) -> str:
        if state.locked:
            return f"{state.locked} is locked: answer the question about it first."
        known = state.values[~np.isnan(state.values)]
        if not len(known):
            first = "Computing the first cells. It takes some seconds if a program has to be compiled."
            return first if self.job.running else "Nothing is computed yet. Press compute."
        shares = {name: (known == k).mean() for k, name in enumerate(self.measure.names)}
        found = ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if share)
        found = found or f"{self.measure.label} {known.min():.3g} to {known.max():.3g}"
        older = f"for {', '.join(state.others)}: press compute for the present setting · " if state.others else ""
        return f"{len(known) / state.values.size:.0%} computed · {older}{found}".replace("%", " %")

    def refresh(self) -> None:
        """Show what has been computed, and what the button does."""
        with self.lock:
            super().refresh()
            state, over = self.work.state(), self.work.over
            self._progress.value = self.work.done
            self.button.description = "stop" if self.job.running and not over else "compute"
            self.button.disabled = bool(state.locked) or (over and not state.others)

    def press(self) -> None:
        """Do what the button says: compute the map, or stop."""
        with self.lock, self._trying("computing the map"):
            state, over = self.work.state(), self.work.over
            if self.job.running and not over:
                self.job.pause()
            elif not state.locked:
                if over or state.others:
                    self.work = self._new()
                self.job.start_or_finish()
            self.refresh()

    def _step(self) -> None:
        """Compute a few states, and show what is known by now."""
        self.work.step(self.lock)
        self.refresh()

    def _failed(self, error: Exception) -> None:
        with self.lock:
            self.button.description = "compute"
            self.fail("computing the map", error)

    def follow(self) -> None:
        """Move the outline after a change of the explorer, which holds the lock."""
        if not self.work.done and not self.job.running:
            self.work = self._new()
        if self.work.state()[1:] != self.state[1:]:  # all but the values
            self.refresh()

    def requested(self, content: dict[str, Any]) -> None:
        """Load a cell into the explorer: all of its params, because the cell was computed with them."""
        row, column = content["load"]
        if not self.work.state().locked:
            setting = self.work.setting(row, column)
            self.explorer.restore(setting)
            if self.y.name not in setting:
                self.explorer.show_frame(self.y.stops[row])

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_()
        locked = self.work.state().locked
        if locked and "text/html" in data:
            words = f"The map answers the question about {locked}. Open it after you have chosen an answer."
            data["text/html"] = page.folded(words, data["text/html"])
        return data, metadata
