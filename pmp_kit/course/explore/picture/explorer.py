"""The base of explorers whose pictures the page draws: params, a state of numbers, one sentence, and a script.

Threads: moves of the page arrive on a thread of ipykernel, jobs run on threads of their own, cells on the main one. One
lock for each explorer is held while params change, a state is computed and its frame is sent. The page draws, so
nothing else needs a lock. README.md says how the parts work together.
"""

from __future__ import annotations

import abc
import functools
import inspect
import itertools
import pathlib
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import anywidget
import ipywidgets as widgets
import traitlets

from .. import failure_list, first_values, layout, stops
from ..live import Live
from . import bundle, page, still
from .code import code_of
from .frame import pack


class Picture(anywidget.AnyWidget):
    """The widget of a picture.

    Attributes:
        frame: all that a move sends, as `frame.pack` writes it.
        layers: the layers that are shown at first; after that the page alone knows.
        painted: pixels that the reader paints, 0 off, 1 on, 2 free; None where nothing can be painted.
        error: what failed, or empty; the picture is then that of an older state.
        lit: names of the parts that an equation of the page lights up, separated by spaces.
    """

    frame = traitlets.Bytes().tag(sync=True)
    layers = traitlets.List(traitlets.Unicode()).tag(sync=True)
    painted = traitlets.Bytes(None, allow_none=True).tag(
        sync=True, echo_update=False, from_json=lambda value, _: value if value is None else bytes(value)
    )
    error = traitlets.Unicode().tag(sync=True)
    lit = traitlets.Unicode().tag(sync=True)


@functools.cache
def picture_of(script: pathlib.Path | str) -> type[Picture]:
    """Return the class of the widget that a script draws."""
    return type("Picture", (Picture,), {"_esm": bundle.script(script), "_css": layout.style_sheet()})


class Explorer(Live, abc.ABC):
    """An interactive picture of one idea.

    Args:
        first: argument of the class -> its value; most classes pass `locals()`, of which only the arguments count. A
            control starts at the value of the argument of its name.
        beside: the explorer that this belongs to, if any. They have one lock, `follow` is called after a change of that
            one, and this ends with it.

    Attributes:
        title, caption: the head; the caption says what to see. (HTML is allowed in the caption.)
        layer_names: of the layers in draw.js, which the reader shows and hides.
        more: arguments of the class that are params without a control, for example a seed.
        arguments_of: name of a control -> argument of the class, where the two differ.
        parts: what an equation of the page can light up: names that marks of draw.js have.
        drawing: the text of draw.js of a class that is written in a notebook.
        telling: the controls, or other params, one or two, that a page without a kernel has, but not the control that
            the chapter's question locks; a dict gives their values.
        controls: name -> control, in the order of the column.
        params: all values that the state depends on, a dict that only this class changes.
        state: what was computed last, a NamedTuple of arrays and plain values.
        picture: the widget that draws.
        column: the controls, as one ipywidget.
        playing: the control that `play` moves, if any.
        widget: everything, as one ipywidget.
        lock: is held while params change and a state is computed.
        followers: functions that are called, under the lock, after a change.
    """

    title: str
    caption: str
    layer_names: ClassVar[tuple[str, ...]] = ()
    more: ClassVar[tuple[str, ...]] = ()
    arguments_of: ClassVar[dict[str, str]] = {}
    telling: Collection[str] | Mapping[str, list] = ()
    parts: ClassVar[tuple[str, ...]] = ()
    drawing: ClassVar[str] = ""
    playing = ""

    def __init__(self, first: Mapping[str, Any], beside: Explorer | None = None):
        self._first = first = first_values.arguments(first)
        self.state: Any = None
        self.lock = threading.RLock() if beside is None else beside.lock
        self.followers: list[Callable[[], None]] = []
        self._tickets, self._served, self._busy, self._made = itertools.count(1), 0, False, False
        self.picture = picture_of(self.script())(layers=checked_layers(self.layer_names, first.get("layers", ())))
        groups = self.make_controls()
        self.controls: dict[str, Any] = {name: control for group in groups.values() for name, control in group.items()}
        for name, control in self.controls.items():
            control.description = name
            control.add_class("pmp-control")
            if self.argument(name) in first:
                first_values.set_control(control, self.argument(name), first[self.argument(name)])
        self.inputs = self.make_inputs()
        self.params = self.completed(self._read() | {name: first[name] for name in self.more})
        self._opening = dict(self.params)
        for one in self.inputs.values():
            one.observe(self._moved, "value")
        self.picture.on_msg(self._answer)
        self.column = layout.column(self.extras(), groups, [])
        self.widget = self._framed(self.column)
        self.refresh()
        self._made = True
        self._beside = beside
        if beside is not None:
            beside.followers.append(self.follow)
        self.begin(beside)

    # ------------------------------------------------------------------------------------- what a concrete one defines

    def make_controls(self) -> dict[str, dict[str, Any]]:
        """Heading -> name -> control: at most five controls, in the order of the column; none by default."""
        return {}

    @abc.abstractmethod
    def compute(self, params: dict[str, Any]) -> Any:
        """Return the state for these params, a NamedTuple of arrays and plain values. Touches no widget."""

    @abc.abstractmethod
    def says(self, state: Any) -> str:
        """Return one plain sentence: what the picture of a state shows, with its numbers."""

    def compute_shown(self, params: dict[str, Any]) -> Any:
        """Return the state that is shown. Only for this one is work in the background started."""
        return self.compute(params)

    def compute_many(self, settings: list[dict[str, Any]]) -> list[Any]:
        """Return the states of many params; override it where they are faster at once."""
        return [self.compute(params) for params in settings]

    def frame(self, state: Any) -> dict[str, Any]:
        """Return what the page draws from: by default all fields of the state."""
        return state._asdict()

    def changed(self, params: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        """Return the params after one of them was set. Override it where others follow from it; touches no widget."""
        return params | {name: value}

    def completed(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return params in which values that were left out (None) are filled in."""
        return params

    def stops(self, name: str) -> list[Any]:
        """Return the values that `telling` has on a page without a kernel. Override it for params without a control."""
        return stops.stops(self.controls[name])

    def extras(self) -> list[widgets.Widget]:
        """Return widgets that stand above the controls, for example the buttons of a job."""
        return []

    def play(self, name: str, interval: int) -> None:
        """Add a player that moves a control in the page; call it at the end of `__init__`.

        Args:
            name: of a slider, or of a control of options.
            interval: milliseconds between two values, at least `layout.CALM`.
        """
        control, self.playing = self.controls[name], name
        listed = hasattr(control, "options")
        last, step = (len(control.options) - 1, 1) if listed else (control.max, control.step)
        moves = "index" if listed else "value"
        player, self.loose = layout.player(control, moves, max=last, step=step, interval=interval)
        below = self.column.children.index(control) + 1
        self.column.children = (*self.column.children[:below], player, *self.column.children[below:])

    def make_inputs(self) -> dict[str, Any]:
        """Return all that sets one of the params: name -> a thing with a `value` that can be observed."""
        return dict(self.controls)

    @classmethod
    def script(cls) -> pathlib.Path | str:
        """Return the path of draw.js, which is beside the file of the class; or the text of a class in a notebook."""
        return cls.drawing or pathlib.Path(inspect.getfile(cls)).with_name("draw.js")

    # ------------------------------------------------------------------------------------------------ params and states

    def refresh(self) -> None:
        """Compute the state for the params and send it. A failure is recorded and shown."""
        with self.lock:
            if self.closed:  # a job was in its last step
                return
            with self._trying("computing a picture"), self.picture.hold_sync():
                state = self.compute_shown(self.params)
                self.picture.frame = self.packed(state)
                self.picture.error = ""
                self.state = state
            for act in list(self.followers):
                act()

    def update(self, **values: Any) -> None:
        """Set params that have no control, and refresh. A job calls it with what it has found."""
        with self.lock:
            self.params = self.params | values
            self.refresh()

    def restore(self, values: dict[str, Any]) -> None:
        """Go to these params, and set the controls."""
        with self.lock:
            with self._trying("setting the controls"):
                self.params = self.completed(self.params | values)
                self._show_params(self._read())
            self.refresh()

    def packed(self, state: Any, kept: Callable[[Any], Any] = lambda value: value) -> bytes:
        """Return the bytes that are sent for a state, with its sentence; `kept` may change each field."""
        fields = {name: kept(value) for name, value in self.frame(state).items()}
        return pack({**fields, "says": layout.typeset(self.says(state))})

    def moved(self, params: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return params after several changes; the explorer stays as it is."""
        for name, value in changes.items():
            params = self.changed(params, name, value)
        return params

    def _read(self) -> dict[str, Any]:
        return {name: one.value for name, one in self.inputs.items()}

    def _moved(self, change) -> None:
        """Follow what was moved, perhaps in another thread. An event whose values were served already is skipped."""
        ticket = next(self._tickets)
        with self.lock:
            if ticket <= self._served or self._busy or self.closed:
                return
            self._served = next(self._tickets)
            now = self._read()
            with self._trying("following a control"):
                moves = {name: value for name, value in now.items() if value != self.params[name]}
                self.params = self.moved(self.params, moves)
                self._show_params(now)
            self.refresh()

    def _show_params(self, now: dict[str, Any]) -> None:
        """Set the inputs that differ from the params. One that was moved after `now` keeps its newer value."""
        for name, value in now.items():
            if self.params[name] != value:
                self.inputs[name].value = self.params[name]

    @contextmanager
    def _trying(self, doing: str) -> Iterator[None]:
        """Record and show what fails; meanwhile inputs that are set by this class are not followed."""
        busy, self._busy = self._busy, True
        try:
            yield
        except Exception as error:
            self.fail(doing, error)
        finally:
            self._busy = busy

    def fail(self, doing: str, error: Exception) -> None:
        """Record a failure and show it; the last picture stays, dimmed. Raise it if there is no picture yet."""
        if not self._made:  # the cell that makes the explorer fails
            raise error
        failure_list.record(f"{type(self).__name__}, {doing}", error)
        self.picture.error = f"{type(error).__name__} while {doing}: {error}"

    # --------------------------------------------------------------------------------------------------------- the page

    def _framed(self, column: widgets.Widget) -> widgets.Widget:
        """Return the box of everything: words and controls at the left, the picture at the right."""
        head = layout.text(layout.marked('<div class="pmp-title">{}</div>', self.title) + self.caption, "pmp-caption")
        side, holder = widgets.VBox([head, column]), widgets.Box([self.picture])
        row = widgets.Box([side, holder])
        for box, names in ((side, "side"), (holder, "picture"), (row, "explorer drawn row")):
            for name in names.split():
                box.add_class(f"pmp-{name}")
        return row

    def show_picture(self) -> None:
        """Scroll the picture into view."""
        self.picture.send({"scroll": True})

    def show_frame(self, number: int) -> None:
        """Show a frame of a picture that has several."""
        self.picture.send({"frame": number})

    def requested(self, content: dict[str, Any]) -> None:
        """Do what draw.js asks for by `view.model.send(content)`. By default it asks for nothing."""

    def _answer(self, picture: Picture, content: Any, buffers: Any) -> None:
        """Do what a button of the page asks for, and record what its script reports; anywidget has its own messages."""
        if not isinstance(content, dict):
            return
        if "pmp_kit_failure" in content:
            failure_list.record(f"the script of {type(self).__name__}", str(content["pmp_kit_failure"]))
        elif content.get("ask") == "code":
            picture.send({"code": self.copy_as_code(), "copy": bool(content.get("copy"))})
        elif content.get("ask") == "reset":
            self.restore(self._opening)
        else:
            with self.lock, self._trying("following the page"):
                self.requested(content)

    def argument(self, control: str) -> str:
        """Return the name of the argument of the class that belongs to a control."""
        return self.arguments_of.get(control, control.replace(" ", "_"))

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the class that make this view again."""
        taken = inspect.signature(type(self)).parameters
        given = {name: self._first[name] for name in taken if name in self._first}
        now = {self.argument(name): value for name, value in self.params.items()}
        return {name: value for name, value in (given | now).items() if value is not None}

    def copy_as_code(self) -> str:
        """Return the code of a cell that makes this view again, or a comment that says what is missing for that."""
        with self.lock:
            try:
                return code_of(type(self), self.arguments())
            except TypeError as error:  # the class does not take all that its state depends on
                return f"# {error}"

    def export(
        self, path: str | pathlib.Path | None = None, controls: Collection[str] | Mapping[str, list] | None = None
    ) -> str:
        """Return one HTML page without a kernel, and write it to a file.

        Args:
            path: of the file, if any.
            controls: one or two controls that the page has, by default `telling`; a dict gives their values.

        Raises:
            ValueError: an unknown control, or a page of more than `page.MOST` bytes.
        """
        text = page.whole(self, self.telling if controls is None else controls)
        if path is not None:
            pathlib.Path(path).write_text(text, encoding="utf-8")
        return text

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        if self.closed or self.state is None:
            return {"text/plain": f"{self.title}. No picture."}, {}
        words = f"{self.title}. {layout.typeset(self.says(self.state))}"
        player = page.part(self, self.telling) if page.players_wanted() else ""
        return layout.mimebundle(self.widget, words, still.of(self), player)

    def follow(self) -> None:
        """Do what a change of the explorer asks for that this is beside."""

    def stop(self) -> None:
        """End the work in the background after its current step; does not wait."""
        super().stop()
        if self._beside is not None and self.follow in self._beside.followers:
            self._beside.followers.remove(self.follow)

    def close(self) -> None:
        """End the work in the background and close all widgets. Running the cell again does the same."""
        with self.lock:
            super().close()
            self.state = None


def checked_layers(names: tuple[str, ...], shown: Any) -> list[str]:
    """Return the layers that are shown at first.

    Raises:
        TypeError, ValueError: this is not a list of names of layers.
    """
    if isinstance(shown, str) or not isinstance(shown, Collection):
        raise TypeError(f"layers: expected a list of names among {', '.join(names)}, got {shown!r}")
    unknown = [name for name in shown if name not in names]
    if unknown:
        raise ValueError(f"layers: expected names among {', '.join(names)}, got {unknown[0]!r}; leave it out")
    return list(shown)
