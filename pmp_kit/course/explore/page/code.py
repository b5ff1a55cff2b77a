"""The code that makes an explorer with its current settings, and the button that shows and copies this code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from . import sources

WIDTH = 88  # columns of a line of code


def code_of(kind: type, arguments: dict[str, Any]) -> str:
    """Return the source of a cell that makes an explorer of this class with these arguments.

    Raises:
        TypeError: the class does not accept these arguments, or requires other ones.
    """
    taken = inspect.signature(kind).parameters
    unknown = sorted(set(arguments) - set(taken))
    missing = [name for name, one in taken.items() if one.default is one.empty and name not in arguments]
    if unknown or missing:
        raise TypeError(
            f"arguments: expected those of {kind.__name__}({', '.join(taken)}), got unknown {unknown}, missing "
            f"{missing}; give the class these arguments, or override arguments()"
        )
    shipped = kind.__module__.startswith("pmp_kit.")
    head, name = ("from pmp_kit import explore\n\n", f"explore.{kind.__name__}") if shipped else ("", kind.__name__)
    words = [f"{key}={_plain(value)!r}" for key, value in arguments.items()]
    line = f"{name}({', '.join(words)})"
    if len(line) > WIDTH:
        line = "\n".join([f"{name}(", *(f"    {word}," for word in words), ")"])
    return head + line


def _plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python number, and round a slider's 0.8999999999999999 to 0.9."""
    value = value.item() if hasattr(value, "item") else value
    return round(value, 10) if isinstance(value, float) else value


class _CodeView(anywidget.AnyWidget):
    """The widget. It sends the code to the page only while the code is shown."""

    _esm = sources.module("code.js")
    code = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Bool(False).tag(sync=True)


class CodeButton:
    """A button "copy as code". It shows and selects the code below it, and copies it if the page allows that.

    Args:
        write: returns the code.
    """

    def __init__(self, write: Callable[[], str]):
        self._write = write
        self.widget = _CodeView()
        self.widget.observe(lambda change: self.update(), "shown")

    def update(self) -> None:
        """Update the code if it is shown."""
        self.widget.code = self._write() if self.widget.shown else ""
