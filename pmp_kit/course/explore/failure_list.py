"""A list of everything that went wrong in widgets, because callbacks and threads do not raise in the cell."""

from __future__ import annotations

import threading
import traceback
from typing import NamedTuple


class Failure(NamedTuple):
    """One failure: where it happened, and its traceback or a sentence."""

    where: str
    text: str


_recorded: list[Failure] = []
_lock = threading.Lock()


def record(where: str, error: BaseException | str) -> None:
    """Add an exception, or a sentence, to the list. `where` names the explorer and what it was doing."""
    text = error if isinstance(error, str) else "".join(traceback.format_exception(error))
    with _lock:
        _recorded.append(Failure(where, text))


def failures() -> tuple[Failure, ...]:
    """Return all failures recorded so far, oldest first."""
    with _lock:
        return tuple(_recorded)


def clear_failures() -> None:
    """Forget the recorded failures."""
    with _lock:
        _recorded.clear()


def assert_no_failures(known: int = 0, where: str = "in the explorers") -> None:
    """Raise an AssertionError that shows every recorded failure; the last line of every tested notebook.

    Args:
        known: number of failures at the start of the list that do not count.
        where: words for the message.
    """
    recorded = failures()[known:]
    if recorded:
        listing = "\n".join(f"--- {failure.where}\n{failure.text}" for failure in recorded)
        raise AssertionError(f"{len(recorded)} failure(s) {where}:\n{listing}")


def watch_threads() -> None:
    """Record the exceptions of all threads from now on; Python prints them as before."""
    previous = threading.excepthook
    if getattr(previous, "records_failures", False):
        return

    def hook(details):
        if details.exc_value is not None:
            record(f"thread {details.thread.name if details.thread else '?'}", details.exc_value)
        previous(details)

    hook.records_failures = True  # type: ignore[attr-defined]
    threading.excepthook = hook
