"""The base of all explorers: state, controls, a lock, recorded failures, and a picture for every page.

An explorer is a plain class that has a widget. A concrete one defines its controls (`make_controls`), computes a state
from their values (`compute`), paints the state (`paint`) and describes it in one sentence (`describe`).
"""

from __future__ import annotations

import abc
import itertools
import threading
import time
from collections.abc import Mapping
from typing import Any, ClassVar

import ipywidgets as widgets

from . import failure_list, first_values, layout
from .drive import settings
from .filmed import Filmed
from .history.tools import Tools
from .history.viewed import Viewed
from .layers import Layers
from .legend import legend
from .live import Live
from .meter import Meter
from .page.still import Still


class Explorer(Live, Viewed, Filmed, abc.ABC):
    """An interactive picture of one idea.

    Args:
        first: argument of the class -> its value; most classes pass `locals()`, of which only the arguments count. Each
            control starts at the value of the argument of its name. Other controls keep the value with which they were
            made.

    Attributes:
        title, caption: the head; the caption says what to see. (HTML is allowed in the caption.)
        width: of the picture on the page, in CSS pixels.
        arguments_of: control -> argument of the class, where the two have different names.
        signs: names of the signs in the picture, as in `plot.signs`; the legend explains them.
        layer_names: of the layers of the picture, which the reader shows and hides; `layers` knows which are shown.
        controls: name -> control, in the order of the column.
        state: what was computed last.
        lock: is held while values of controls are read or set together, and while a picture is made.
        widget: everything, as one ipywidget.
        labels: the widget that names the picture for screen readers, in whatever box it is.
        playing: the control that `play` moves, if one was named.
        watch: of the `PhaseMap` that was made last; a new one ends it.
    """

    title: str
    caption: str
    width: int
    signs: ClassVar[tuple[str, ...]] = ()
    layer_names: ClassVar[tuple[str, ...]] = ()
    _painter: Any
    """Has paint(state); classes with another way to paint override `paint`."""

    def __init__(self, first: Mapping[str, Any] | None = None):
        self._first = first = first_values.arguments(first or {})
        self.state: Any = None
        self.lock = threading.RLock()
        self._tickets = itertools.count(1)
        self._painted = 0
        self._busy, self._made = False, False
        self._meter = Meter()
        self.playing = ""
        self.watch: Any = None
        groups = self.make_controls()
        self.controls: dict[str, Any] = {name: control for group in groups.values() for name, control in group.items()}
        for name, control in self.controls.items():
            layout.named(name, control)
            if self.argument(name) in first:
                first_values.set_control(control, self.argument(name), first[self.argument(name)])
            control.observe(self._changed, "value")
        self.layers = Layers(self.layer_names, first.get("layers", ()), self.repaint)
        self.picture = self.make_picture()
        self.column = layout.column(self.extras(), groups, self.layers.rows())
        self._frame = layout.Frame(self.title, self.caption, legend(self.signs), self.column, self.picture.widget)
        self.widget, self.labels = self._frame.widget, self._frame.labels
        self._tools = self.make_tools()
        self.column.children += self._tools.column
        self._frame.below(*self._tools.below)
        self._tools.pin.button.observe(self._pinned, "value")
        self.refresh()
        self._made = True
        self.begin()

    @abc.abstractmethod
    def make_controls(self) -> dict[str, dict[str, Any]]:
        """Heading -> name -> control: at most five controls, in the order of the column."""

    @abc.abstractmethod
    def compute(self, params: dict[str, Any]) -> Any:
        """Return the state for these values of the controls, as NumPy arrays. Touches no widget."""

    def compute_shown(self, params: dict[str, Any]) -> Any:
        """Return the state that is shown. Only for this one is a reader's sampler called."""
        return self.compute(params)

    @abc.abstractmethod
    def describe(self, state: Any) -> str:
        """Return one plain sentence: what the picture of a state shows, with its numbers."""

    def make_picture(self) -> Any:
        """Make what shows the picture, a `Still`; or another object that has its methods, such as a `Player`."""
        return Still(self.width)

    def paint(self, state: Any) -> Any:
        """Return the picture of a state in the form that `make_picture().show` takes: pixels, or a `Clip`."""
        return self._painter.paint(state)

    def make_tools(self) -> Tools:
        """Make the tools below the controls."""
        return Tools(self)

    @property
    def tools(self) -> dict[str, Any]:
        """Name -> tool; a tool has a value, like a control."""
        return self._tools.values

    def extras(self) -> list[widgets.Widget]:
        """Return widgets that stand above the controls, for example a pixel painter."""
        return []

    def sweeps(self, state: Any) -> float:
        """Return the number of sweeps, summed over the samples, that a state took; 0 where nothing sweeps."""
        return 0.0

    def params(self) -> dict[str, Any]:
        """Return the values of the controls."""
        return {name: control.value for name, control in self.controls.items()}

    def refresh(self) -> None:
        """Compute and paint the state for the values of the controls. A failure is recorded and shown."""
        with self.lock:
            if self.closed:  # a job was in its last step
                return
            self._busy = True
            try:
                start = time.perf_counter()
                state = self.compute_shown(self.params())
                computed = time.perf_counter()
                picture = self.paint(state)
                self._tools.leave()
                self.picture.show(picture)
                self.state = state
                self._meter.add(self.sweeps(state), computed - start, time.perf_counter() - start)
                says = self.describe(state)
                self._frame.say(" · ".join(filter(None, (says, str(self._meter)))), says)
                self._tools.show()
            except Exception as error:
                self.fail("painting a picture", error)
            finally:
                self._busy = False

    def repaint(self) -> None:
        """Paint the state again, for other layers. A failure is recorded and shown."""
        with self.lock:
            if self._busy or self.closed:  # while a view is being restored; its picture comes when all values are set
                return
            try:
                picture = self.paint(self.state)
                self._tools.leave()
                self.picture.show(picture)
                self._tools.show()
            except Exception as error:
                self.fail("painting a picture", error)

    def fail(self, doing: str, error: Exception) -> None:
        """Record a failure and show it in red; the last picture stays, dimmed. Raise it if there is no picture yet."""
        if not self._made:  # the cell that makes the explorer fails
            raise error
        failure_list.record(f"{type(self).__name__}, {doing}", error)
        self._frame.complain(f"{type(error).__name__} while {doing}: {error}")

    def _pinned(self, change) -> None:
        """Pin or unpin the picture."""
        with self.lock:
            try:
                self._tools.pinned()
            except Exception as error:
                self.fail("pinning a picture", error)

    def _changed(self, change) -> None:
        """Paint again after a control moved, perhaps in another thread; skip values that are outdated by now."""
        ticket = next(self._tickets)
        with self.lock:
            if ticket <= self._painted or self._busy:
                return
            self._painted = next(self._tickets)
            self.refresh()

    def show_picture(self) -> None:
        """Scroll the picture into view."""
        self.labels.calls += 1

    def play(self, name: str, moves: str = "value", **options) -> None:
        """Add a player that moves a control in the page; the kernel hears of the control's values only.

        Args:
            name: of the control.
            moves: "value", or "index" of a control of options.
            options: of `widgets.Play`; it starts where the control stands.

        Raises: ValueError if the interval is missing or shorter than `layout.CALM`.
        """
        control, self.playing = self.controls[name], name
        player, self.loose = layout.player(control, moves, **options)
        below = self.column.children.index(control) + 1
        self.column.children = (*self.column.children[:below], player, *self.column.children[below:])

    def close(self) -> None:
        """End the work in the background and close all widgets. Running the cell again does the same."""
        with self.lock:
            super().close()
            self.state = self.picture = self._painter = None  # the rest stays as long as IPython's `Out`

    def exercise(self) -> int:
        """Drive every control and tool through its range and back, and return the number of settings tried.

        Raises: AssertionError if something failed.
        """
        before = len(failure_list.failures())
        tried = sum(1 for name, control in self.controls.items() for _ in settings(name, control))
        tried += self.layers.exercise() + self._tools.exercise() + self.exercise_more()
        failure_list.assert_no_failures(before, f"while exercising {type(self).__name__}")
        return tried

    def exercise_more(self) -> int:
        """Drive what is not among the controls, such as a painter; returns the number of settings tried."""
        return 0

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        if self.state is None:
            return layout.mimebundle(self.widget, f"{self.title}. No picture yet.")
        words = f"{self.title}. {layout.typeset(self.describe(self.state))}"
        return layout.mimebundle(self.widget, words, self.snapshot(), self.player())

    def snapshot(self) -> bytes:
        """Return the picture as a PNG, for pages without a kernel."""
        return self.picture.png()
