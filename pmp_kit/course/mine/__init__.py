"""Functions that a reader wrote: a passed check keeps them in mine.py, and later pages load them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import file, reference, source
from .source import Problem

__all__ = ["holds", "keep", "load"]

COLAB = "On Colab files do not last: paste your mine.py into a cell that begins with the line %%writefile mine.py"


def keep(function: Callable, name: str, folder: Path | None = None) -> str:
    """Write a function, with the imports, functions and constants that it uses, to mine.py; never raises.

    An older version of the function is replaced and goes to mine_old.py. All else in mine.py stays as it is.

    Args:
        function: defined in a cell of the notebook.
        name: the name under which later pages look for it, such as "pmp".
        folder: of the file; by default the folder in which the notebook runs. Outside of a notebook nothing is written.

    Returns:
        One sentence that says what was done, or "" if nothing had to be done.
    """
    folder = folder or _folder()
    if folder is None or source.home(function, name)[0].startswith("pmp_kit"):
        return ""
    try:
        file.put(source.collect(function, name), name, folder)
    except Problem as problem:
        return f"mine.py does not have your {name}, because {problem}."
    except Exception as error:  # whatever a reader's code does, a passed check stays passed
        return f"mine.py does not have your {name} ({type(error).__name__}: {error})."
    sys.modules.pop("mine", None)
    importlib.invalidate_caches()
    colab = " Copy that file from the list at the left before you close this page." if _on_colab() else ""
    return f"Your {name} is now in mine.py beside this notebook, and later pages run it.{colab}"


def load(name: str, folder: Path | None = None) -> Callable:
    """Return the reader's function from mine.py, or the library's if there is none, and print which one it is.

    Args:
        name: "update", "pmp", "learn" or "or_update".
        folder: of the file; by default the current folder.

    Raises:
        ValueError: the library has no function of this name.
    """
    if name not in reference.FUNCTIONS:
        raise ValueError(f"name: expected one of {', '.join(reference.FUNCTIONS)}, got {name!r}; see mine.reference")
    try:
        function = _own(name, (folder or Path.cwd()) / file.NAME)
    except Problem as problem:
        print(f"This page runs the kit's {name}, because {problem}.")
        return reference.FUNCTIONS[name]
    if (function.__module__ or "").startswith("pmp_kit"):  # mine.py has it for a function that uses it
        print(f"This page runs the kit's {name}, which your mine.py imports.")
    else:
        print(f"This page runs your {name} from mine.py.")
    return function


def holds(function: Any, name: str) -> bool:
    """Return whether `from mine import name` gives this function in the current folder."""
    if not callable(function):
        return False
    try:
        there = file.definitions(file.read(Path.cwd() / file.NAME)).get(name)
        return there is not None and (function.__module__ == "mine" or there == source.statement(function, name))
    except (Problem, AttributeError):
        return False


def _own(name: str, path: Path) -> Callable:
    """Return a function of mine.py.

    Raises:
        Problem: there is none.
    """
    text = file.read(path)
    if not text:
        colab = f". {COLAB}, and run this cell again" if _on_colab() else ""
        raise Problem(f"there is no mine.py in this folder{colab}")
    function = vars(file.run(text, path)).get(name)
    if function is None:
        raise Problem(f"mine.py has no {name} yet")
    if not callable(function):
        raise Problem(f"{name} in mine.py is not a function but {type(function).__name__}")
    return function


def _folder() -> Path | None:
    """Return the folder in which the notebook runs, or None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    return Path.cwd() if ipython is not None and ipython.get_ipython() is not None else None


def _on_colab() -> bool:
    return "google.colab" in sys.modules
