"""Phase map: a picture of a grid of settings of two controls of an explorer, coloured by a measure."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import numpy as np

from .. import failure_list, filmed, layout
from ..explorer import Explorer
from ..job import Job
from ..live import Live
from ..page.cells import Cells
from ..picture import Explorer as Drawn
from . import compute, finished, paint
from .measures import CLOSEST, EXACT, OUTCOME, SETTLED, Measure, as_measure
from .watch import Watch

__all__ = ["CLOSEST", "EXACT", "OUTCOME", "SETTLED", "Measure", "PhaseMap"]

CALM = 0.3  # seconds without a change of the explorer before the map computes on
A_PICTURE = 0.15  # seconds between pictures while it computes, at least
LIVE = (
    "Striped cells are not computed yet. The black outline marks the current setting. Click a cell, or press Enter on "
    "it, to load its setting in the explorer."
)


class PhaseMap(Live):
    """A map of the settings of two controls, coloured by a measure; a click loads a setting into the explorer.

    It is computed in the background after a press of its button, first rough and then fine. A change of the explorer
    interrupts the work. A change of anything but x and y starts the map again. A new map of the explorer ends it.

    Args:
        explorer: whose `compute` gives the states, or its `compute_many` those of many settings at once, if it has one.
        x, y: names of controls. With a measure by sweeps, y is the control of sweeps, or the frame of the player.
        measure: a `Measure`, or a function state -> number.

    Raises:
        ValueError: the explorer has no such controls, or the measure does not fit them.
    """

    def __init__(self, explorer: Explorer, x: str, y: str, measure: Measure | Callable[[Any], float]):
        self.explorer, self.measure = explorer, (measure := as_measure(measure))
        self.x, self.y = compute.axis(explorer, "x", x), compute.axis(explorer, "y", y)
        compute.check(explorer, self.x, self.y, measure)
        self.work = compute.Work(explorer, self.x, self.y, measure)
        self.job = Job("phase map", self._step, self._fail, lambda: self.work.over or self._watch.over)
        self._painter = paint.Painter(self.x, self.y, measure)
        label = f"phase map of {x} and {y}, {measure.label}"
        words = self.x.words, self.y.words, list(measure.names), measure.label
        self.picture = Cells(paint.WIDTH, self._painter.grid, *words, label)
        self.picture.on_choice(self._load)
        self.button = widgets.Button(description="compute")
        self.button.on_click(lambda _: self.press())
        self._progress = widgets.IntProgress(min=0, max=self.work.total)
        layout.named("progress", self._progress)
        self._progress.layout.max_width = "400px"
        tools = widgets.HBox([self.button, self._progress])
        tools.add_class("pmp-wide")
        head = f"{finished.caption(explorer, self.x, self.y, measure)} {LIVE}"
        self._frame = layout.Frame("Phase map", head, "", tools, self.picture.widget)
        self.widget = self._frame.widget
        self._following, self._stale, self._calm, self._shown = False, False, 0.0, 0.0
        self._restart()
        self._watch = Watch(explorer, self._moved, self._end)
        self._show()
        self.begin(explorer)

    def _end(self) -> None:
        """Stop for good: the explorer has a newer map, or this one was closed."""
        self._following = False
        self.job.pause()
        self.button.disabled = True
        self._frame.say(self.describe(), "")

    def stop(self) -> None:
        """End the work in the background for good."""
        self._watch.end()

    def press(self) -> None:
        """Do what the button says: compute the map, or stop."""
        locked = self._locked()
        try:
            if self.job.running:
                self._following = False
                self.job.pause()
                self._show()
            elif locked:
                self._frame.say(f"{locked} is locked: answer the question about it first.", "")
            else:
                self._calm = 0.0
                self._start()
        except Exception as error:
            self._fail(error)

    def _start(self) -> None:
        """Compute in a thread, or here where no thread can be started."""
        if self._watch.over or self.work.over:  # the click was on its way
            return
        self._following, self.button.description = True, "stop"
        self._frame.say(self.describe(), "")
        try:
            self.job.start()
        except RuntimeError:
            self._following = False
            while not self.work.over:
                self._advance()

    def _step(self) -> None:
        """Wait while the reader moves a control; else compute a few settings."""
        if self._stale:
            self._show()
        wait = self._calm - time.monotonic()
        if wait > 0:
            time.sleep(min(wait, 0.05))
        else:
            self._advance()

    def _advance(self) -> None:
        """Compute a few settings, and paint if the last picture is old enough, or the first rough one is complete."""
        before = self.work.done
        self.work.step()
        rough = before < self.work.rough <= self.work.done
        if rough or self.work.over or time.monotonic() - self._shown > A_PICTURE:
            self._show()

    def _show(self) -> None:
        """Show what has been computed."""
        with self.explorer.lock:  # the outline, too, moves under this lock
            self._stale = False
            values, done = self.work.values, self.work.done
            self.picture.show(self._painter.paint(compute.filled(values, self.x, self.y)))
            self.picture.tell(values)
            self._mark()
            self._progress.value = done
            self.button.disabled = self.work.over or self._watch.over
            self.button.description = "stop" if self.job.running and not self.work.over else "compute"
            self._frame.say(self.describe(), "")
        self._shown = time.monotonic()

    def describe(self) -> str:
        """Return one plain sentence: how much is computed, and what the map shows."""
        if self._watch.over:
            return "This map has ended. Run its cell again for a new one."
        values = self.work.values
        if np.isnan(values).all():
            first = "Computing the first settings. It takes some seconds if a program has to be compiled."
            return first if self._following else "Nothing is computed yet. Press compute."
        share = f"{100 * self.work.done // self.work.total} % computed"
        return f"{share} · {paint.words(values, self.x, self.y, self.measure)}"

    def _restart(self) -> None:
        """Forget the map, and compute with the present values of the explorer from now on."""
        self._given, self._seed = compute.params_of(self.explorer), getattr(self.explorer, "seed", None)
        self.work.restart(self._given)

    def _outdated(self) -> bool:
        """Return whether anything that the map depends on has changed: not its axes, and not what follows from them."""
        explorer, axes = self.explorer, {self.x.name, self.y.name} | ({"seed"} if self.measure.draws > 1 else set())
        now, seed = compute.params_of(explorer), getattr(explorer, "seed", None)
        own = {name: control.value for name, control in explorer.controls.items() if name in axes}
        expected = explorer.moved(self._given, own)
        return seed != self._seed or any(not np.array_equal(value, expected[name]) for name, value in now.items())

    def _moved(self, change) -> None:
        """Move the outline, and start again if the map depends on what changed."""
        try:
            with self.explorer.lock:  # to read its values may set its controls
                self._calm = time.monotonic() + CALM
                if self._outdated():
                    self._restart()
                    self._stale = True
                    if self._following:
                        self._start()  # the thread shows the empty map, so that no control waits for it
                    else:
                        self._show()
                self._mark()
        except Exception as error:
            self._fail(error)

    def _mark(self) -> None:
        """Outline the setting of the explorer. The frame of a player is known to the page only, and has no outline."""
        controls = self.explorer.controls
        places = [axis.nearest(controls[axis.name].value) if axis.name in controls else -1 for axis in (self.y, self.x)]
        self.picture.mark(*places)

    def _locked(self) -> str:
        """Return the name of a control of the map that is locked by a question; "" if there is none."""
        axes = self.x.name, self.y.name
        return next((name for name, each in self.explorer.controls.items() if name in axes and each.disabled), "")

    def _load(self, row: int, column: int) -> None:
        """Load the setting of a cell into the explorer, from the top: a control may follow from one above it."""
        locked = self._locked()
        if locked:
            self._frame.say(f"{locked} is locked: answer the question about it first.", "")
            return
        setting = {self.x.name: self.x.stops[column], self.y.name: self.y.stops[row]}
        try:
            self.explorer.freeze_noise()  # with new noise the outcome may be another one than that of the cell
            for name, control in self.explorer.controls.items():
                if name in setting:
                    control.value = setting.pop(name)
            if setting and isinstance(self.explorer, Drawn):
                self.explorer.show_frame(*setting.values())
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Record a failure and show it in red; the map stays as it is."""
        self._following = False
        failure_list.record("PhaseMap, computing", error)
        self._frame.complain(f"{type(error).__name__} while computing the map: {error}")
        self.button.description = "compute"

    def exercise(self) -> int:
        """Compute the first rough map and click two cells, then clear the map and put the controls back.

        Returns:
            The number of settings tried.

        Raises:
            AssertionError: something failed.
        """
        before = len(failure_list.failures())
        controls = [each for name, each in self.explorer.controls.items() if name in (self.x.name, self.y.name)]
        kept = [(control.value, control.disabled) for control in controls]
        for control in controls:
            control.disabled = False
        self.work.restart(compute.params_of(self.explorer))
        while self.work.done < self.work.rough:
            self._advance()
        tried = self.work.done
        for row, column in ((0, 0), (len(self.y.stops) - 1, len(self.x.stops) - 1)):
            self.picture.choose(row, column)
        for control, (value, disabled) in zip(controls, kept, strict=True):
            control.value, control.disabled = value, disabled
        self.work.restart(compute.params_of(self.explorer))
        self._show()
        failure_list.assert_no_failures(before, "while exercising PhaseMap")
        return tried + 2

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        axes = self.explorer, self.x, self.y, self.measure
        player = finished.html(*axes, self._locked()) if filmed.players_wanted() else ""
        return layout.mimebundle(self.widget, f"Phase map. {self.describe()}", self.picture.png(), player)
