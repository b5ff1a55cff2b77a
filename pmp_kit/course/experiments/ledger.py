"""The ledger: pieces of a long run, kept as they are finished, so that what was interrupted goes on where it stopped.

A piece is one call of a function: one method with one seed, say. The environment variable PMP_KIT_LEDGER names the
folder; without it nothing is kept. `make reproduce` sets it.
"""

import json
import os
import pathlib
import re
import sys
import time
from collections.abc import Callable

import numpy as np

from ...engine import progress
from ...storage import read_arrays, write_arrays

FOLDER = "PMP_KIT_LEDGER"
LOG = "log.jsonl"
ABOUT = "about"


def piece(name: str, function: Callable[..., dict], /, **settings) -> dict:
    """function(**settings), or what it returned last time.

    Args:
        name: of the piece, once in an experiment.
        function: returns a dict of numbers and NumPy arrays.
        settings: arguments that JSON can hold: numbers, texts, lists and dicts of them.

    Returns: the dict, with NumPy arrays and Python numbers.

    Raises:
        ValueError: the ledger holds a piece of this name with other settings.
        TypeError: the settings or the result cannot be kept.
    """
    return pieces(function, {name: settings})[name]


def pieces(function: Callable[..., dict], settings: dict[str, dict]) -> dict[str, dict]:
    """Several pieces of one function; knowing how many there are, their progress line says how long it will take.

    Args:
        function: as in `piece`.
        settings: name -> the settings of this piece.
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
    """One line about a finished piece: its name, its seconds, how many are left and for how long."""
    text = f"{event['name']}: {event['seconds']:.1f} s"
    text += ", from the ledger" if event["kept"] else ""
    text += f"; {event['left']} more" if event["left"] else ""
    return text + (f", about {event['estimate']:.0f} s" if event["estimate"] is not None else "")


def events(log: pathlib.Path) -> list[dict]:
    """What a log tells: a dict for each piece that was finished or read, in order."""
    return [json.loads(text) for text in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def _tell(folder, event: dict, estimate: float | None) -> None:
    """Note a finished piece in the ledger's log, and show it to people who wait, if it was worth the wait."""
    event |= {"estimate": estimate, "time": time.time()}
    if folder is not None:
        with open(pathlib.Path(folder) / LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")
    if event["seconds"] >= progress.DELAY and progress.wanted():
        print(line(event), file=sys.stderr)


def _file(folder, name: str) -> pathlib.Path:
    return pathlib.Path(folder) / (re.sub(r"[^\w.,=+-]+", "_", name) + ".npz")


def _checked(name: str, settings: dict) -> dict:
    """The settings as they look after a journey through JSON."""
    try:
        return json.loads(json.dumps(settings))
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected settings of numbers, texts, lists and dicts, for JSON: {error}") from None


def _plain(name: str, result) -> dict:
    """The result with arrays of numbers and Python numbers only."""
    if not isinstance(result, dict):
        raise TypeError(f"{name}: expected a dict of numbers and arrays from its function, got {type(result).__name__}")
    arrays = {key: np.asarray(value) for key, value in result.items()}
    for key, value in arrays.items():
        if value.dtype.kind not in "biuf" or key == ABOUT:
            raise TypeError(f"{name}: expected numbers or arrays of numbers, got {type(result[key]).__name__} at {key}")
    return {key: value if value.ndim else value.item() for key, value in arrays.items()}


def _read(path: pathlib.Path, name: str, settings: dict) -> tuple[dict, float] | None:
    """A stored piece and its seconds; None if there is none."""
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
    """Keep a piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {key: np.asarray(value) for key, value in (result | {ABOUT: json.dumps(about)}).items()}
    write_arrays(path, arrays)
