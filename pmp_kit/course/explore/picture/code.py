"""The code of a cell that makes an explorer with its current settings."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ... import mine

WIDTH = 88  # columns of a line of code


def code_of(kind: type, arguments: dict[str, Any], names: Mapping[str, Any] | None = None) -> str:
    """Return the source of a cell that makes an explorer of this class with these arguments.

    Numbers, words, and lists of them are written out. A model, an array or a function is written as its name in the
    notebook; one without a name is explained in a comment instead. A function in mine.py is imported from there.

    Args:
        kind: the class.
        arguments: their names and values.
        names: the names of the notebook and their values; by default those of the running IPython.

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
    names = names_of_notebook() if names is None else names
    own = {key: value for key, value in arguments.items() if not callable(value) or value is not taken[key].default}
    written = {key: _written(value, names) for key, value in own.items()}
    nameless = [key for key, word in written.items() if word is None]
    if nameless:
        pairs = ", ".join(f"{key}={key}" for key in nameless)
        return f"# Store {' and '.join(nameless)} in variables, and pass these to the explorer: {pairs}"
    words = [f"{key}={word}" for key, word in written.items()]
    kept = [word for key, word in written.items() if word is not None and mine.holds(own[key], word)]
    head = "".join(f"from mine import {word}\n" for word in kept) + (head or "\n" * bool(kept))
    line = f"{name}({', '.join(words)})"
    if len(line) > WIDTH:
        line = "\n".join([f"{name}(", *(f"    {word}," for word in words), ")"])
    return head + line


def names_of_notebook() -> Mapping[str, Any]:
    """Return the names of the running notebook, or none outside of IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell.user_ns if shell else {}


def _written(value: Any, names: Mapping[str, Any]) -> str | None:
    """Return a value as it is written in code, or None if it has to have a name and has none."""
    value = _plain(value)
    try:
        if ast.literal_eval(repr(value)) == value:
            return repr(value)
    except (ValueError, SyntaxError):
        pass
    return next((name for name, one in names.items() if one is value and name.isidentifier() and name[0] != "_"), None)


def _plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python number, and round a slider's 0.8999999999999999 to 0.9."""
    value = value.item() if isinstance(value, np.generic) else value
    return round(value, 10) if isinstance(value, float) else value
