"""The ledger stores the finished pieces of a long run, so that an interrupted run can be resumed.

A piece is one call of a function, for example one method with one seed. The environment variable PMP_KIT_LEDGER names
the folder of the ledger. If it is not set, nothing is stored. `make reproduce` sets it.
"""

import json
import os
import pathlib
import re
import time
from collections.abc import Callable

import numpy as np

from ...engine import progress
from ...storage import read_arrays, write_arrays

FOLDER = "PMP_KIT_LEDGER"
LOG = "log.jsonl"
ABOUT = "about"


def piece(name: str, function: Callable[..., dict], /, **settings) -> dict:
    """Return function(**settings), or its stored result if the piece is in the ledger.

    Args:
        name: the name of the piece. It is unique in an experiment.
        function: returns a dict of numbers and NumPy arrays.
        settings: arguments that JSON can store: numbers, strings, lists and dicts of them.

    Returns: the dict of the function, with NumPy arrays and Python numbers.

    Raises:
        ValueError: the ledger has a piece of this name with other settings.
        TypeError: the settings or the result cannot be stored.
    """
    return pieces(function, {name: settings})[name]


def pieces(function: Callable[..., dict], settings: dict[str, dict]) -> dict[str, dict]:
    """Run several pieces of one function. Their progress lines estimate the remaining time.

    Args:
        function: as in `piece`.
        settings: name of a piece -> its settings.

    Returns: name of a piece -> its result, as in `piece`.
    """
    folder = os.environ.get(FOLDER)
    results, spent, run = {}, 0.0, 0
    for name, chosen in settings.items():
        start = time.monotonic()
        stored = None if folder is None else _read(_file(folder, name), name, _checked(name, chosen))
        result = _plain(name, function(**chosen)) if stored is None else stored[0]
        seconds = time.monotonic() - start if stored is None else stored[1]
        if stored is None:
            run, spent = run + 1, spent + seconds
            if folder is not None:
                _write(_file(folder, name), result, {"name": name, "settings": chosen, "seconds": seconds})
        results[name] = result
        left = len(settings) - len(results)
        estimate = left * spent / run if run and left else None
        _tell(folder, {"name": name, "seconds": seconds, "kept": stored is not None, "left": left}, estimate)
    return results


def line(event: dict) -> str:
    """Return one line about a finished piece: its name, its seconds, the number of pieces left, the estimated time."""
    text = f"{event['name']}: {event['seconds']:.1f} s"
    text += ", from the ledger" if event["kept"] else ""
    text += f"; {event['left']} more" if event["left"] else ""
    return text + (f", about {event['estimate']:.0f} s" if event["estimate"] is not None else "")


def events(log: pathlib.Path) -> list[dict]:
    """Read a log: a dict for each piece that was computed or read from the ledger, in order."""
    return [json.loads(text) for text in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def _tell(folder, event: dict, estimate: float | None) -> None:
    """Add a finished piece to the log, and print it if it took longer than `progress.DELAY` seconds."""
    event |= {"estimate": estimate, "time": time.time()}
    if folder is not None:
        with open(pathlib.Path(folder) / LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")
    if event["seconds"] >= progress.DELAY and progress.wanted():
        progress.tell(line(event))


def _file(folder, name: str) -> pathlib.Path:
    return pathlib.Path(folder) / (re.sub(r"[^\w.,=+-]+", "_", name) + ".npz")


def _checked(name: str, settings: dict) -> dict:
    """Return the settings after conversion to JSON and back."""
    try:
        return json.loads(json.dumps(settings))
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected settings of numbers, texts, lists and dicts, for JSON: {error}") from None


def _plain(name: str, result) -> dict:
    """Check a result, and return it with numeric arrays and Python numbers only."""
    if not isinstance(result, dict):
        raise TypeError(f"{name}: expected a dict of numbers and arrays from its function, got {type(result).__name__}")
    arrays = {key: np.asarray(value) for key, value in result.items()}
    for key, value in arrays.items():
        if value.dtype.kind not in "biuf" or key == ABOUT:
            raise TypeError(f"{name}: expected numbers or arrays of numbers, got {type(result[key]).__name__} at {key}")
    return {key: value if value.ndim else value.item() for key, value in arrays.items()}


def _read(path: pathlib.Path, name: str, settings: dict) -> tuple[dict, float] | None:
    """Return a stored piece and its seconds, or None if it is not stored."""
    if not path.exists():
        return None
    arrays = read_arrays(path, [ABOUT])
    about = json.loads(str(arrays.pop(ABOUT)))
    if (about["name"], about["settings"]) != (name, settings):
        raise ValueError(
            f"{name}: expected a piece of these settings in {path}, got {about['name']} with {about['settings']}; "
            "remove the file to compute it again, or give the piece a name of its own"
        )
    return {key: value if value.ndim else value.item() for key, value in arrays.items()}, about["seconds"]


def _write(path: pathlib.Path, result: dict, about: dict) -> None:
    """Store a piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {key: np.asarray(value) for key, value in (result | {ABOUT: json.dumps(about)}).items()}
    write_arrays(path, arrays)
