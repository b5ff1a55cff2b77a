"""The ledger stores the finished pieces of a long run, so that an interrupted run can be resumed.

A piece is one call of a function, for example one method with one seed. Other settings are another piece. The
environment variable PMP_KIT_LEDGER names the folder of the ledger. If it is not set, nothing is stored. `make
reproduce` sets it.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import time
from collections.abc import Callable

import numpy as np

from ...engine import progress
from .. import data

FOLDER = "PMP_KIT_LEDGER"
LOG = "log.jsonl"
PACKAGE = pathlib.Path(__file__).parents[2]


def piece(name: str, function: Callable[..., dict], /, **settings) -> dict:
    """Return function(**settings), or its stored result if the ledger has this piece with these settings.

    Args:
        name: the name of the piece. Each function of an experiment has its own names.
        function: returns a dict of numbers and NumPy arrays.
        settings: arguments that JSON can store: numbers, strings, lists and dicts of them.

    Returns: the dict of the function, with NumPy arrays and Python numbers.

    Raises: TypeError if the settings or the result cannot be stored.
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
        path = None if folder is None else _file(folder, name, chosen)
        stored = None if path is None else _read(path)
        result = _plain(name, function(**chosen)) if stored is None else stored[0]
        seconds = time.monotonic() - start if stored is None else stored[1]["seconds"]
        if stored is None:
            run, spent = run + 1, spent + seconds
            if path is not None:
                _write(path, result, {"name": name, "settings": chosen, "seconds": seconds, "code": code()})
        results[name] = result
        left = len(settings) - len(results)
        event = {"name": name, "seconds": seconds, "kept": stored is not None, "left": left}
        event["old"] = stored is not None and stored[1]["code"] != code()
        _tell(folder, event, left * spent / run if run and left else None)
    return results


@functools.cache
def code() -> str:
    """Return a hash of the package's code, which tells the pieces of an earlier version from new ones."""
    total = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


def line(event: dict) -> str:
    """Return one line about a finished piece: its name, its seconds, the number of pieces left, the estimated time."""
    text = f"{event['name']}: {event['seconds']:.1f} s"
    text += ", from the ledger" if event["kept"] else ""
    text += " (made by earlier code)" if event["old"] else ""
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


def _file(folder, name: str, settings: dict) -> pathlib.Path:
    """Return the file of a piece. Its name has a hash of the settings."""
    try:
        text = json.dumps([name, settings], sort_keys=True)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected settings of numbers, texts, lists and dicts, for JSON: {error}") from None
    words = re.sub(r"[^\w.,=+-]+", "_", name)
    return pathlib.Path(folder) / f"{words}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.npz"


def _plain(name: str, result) -> dict:
    """Check a result, and return it with numeric arrays and Python numbers only."""
    if not isinstance(result, dict):
        raise TypeError(f"{name}: expected a dict of numbers and arrays from its function, got {type(result).__name__}")
    arrays = {key: np.asarray(value) for key, value in result.items()}
    for key, value in arrays.items():
        if value.dtype.kind not in "biuf" or key == data.ABOUT:
            raise TypeError(f"{name}: expected numbers or arrays of numbers, got {type(result[key]).__name__} at {key}")
    return {key: value if value.ndim else value.item() for key, value in arrays.items()}


def _read(path: pathlib.Path) -> tuple[dict, dict] | None:
    """Return a stored piece and what is known about it, or None if it is not stored."""
    if not path.exists():
        return None
    arrays, about = data.read(path, [data.ABOUT])
    return {key: value if value.ndim else value.item() for key, value in arrays.items()}, about


def _write(path: pathlib.Path, result: dict, about: dict) -> None:
    """Store a piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data.store(path, result, about)
