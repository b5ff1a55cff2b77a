"""The values that make a view of an explorer: they are kept, restored, and written as the arguments of its class."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from ..layers import Layers
from ..page.code import code_of


class Viewed:
    """The part of an explorer that knows on which values its picture depends."""

    arguments_of: ClassVar[dict[str, str]] = {}
    controls: dict[str, Any]
    layers: Layers
    _first: dict[str, Any]
    lock: threading.RLock
    _busy: bool
    refresh: Callable[[], None]
    fail: Callable[[str, Exception], None]

    def argument(self, control: str) -> str:
        """Return the name of the argument of the class that belongs to a control."""
        return self.arguments_of.get(control, control.replace(" ", "_"))

    def view(self) -> dict[str, Any]:
        """Return all values that the picture depends on: those of the controls, and what subclasses add."""
        return {name: control.value for name, control in self.controls.items()} | self.layers.arguments()

    def set_view(self, values: dict[str, Any]) -> None:
        """Set what `view` returned; called while no change is painted."""
        for name, control in self.controls.items():
            control.value = values[name]
        self.layers.shown = values.get("layers", ())

    def freeze_noise(self) -> None:
        """Keep the present noise. Only explorers with a choice of noise would draw it anew."""

    def restore(self, values: dict[str, Any]) -> None:
        """Return to a view. A failure is recorded and shown."""
        with self.lock:
            self._busy = True
            try:
                self.set_view(values)
            except Exception as error:
                self.fail("returning to a view", error)
            finally:
                self._busy = False
            self.refresh()

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the class that make this view again."""
        taken = inspect.signature(type(self)).parameters
        given = {name: self._first[name] for name in taken if name in self._first}
        now = {self.argument(name): value for name, value in self.view().items()}
        return {name: value for name, value in (given | now).items() if value is not None}

    def copy_as_code(self) -> str:
        """Return the code of a cell that makes this view again, or a comment that says what is missing for that."""
        with self.lock:
            return code_of(type(self), self.arguments())
