"""Progress bars for long work: shown to people in notebooks and terminals, never in logs."""

import os
import sys
import time

DELAY = 1.0
"""Seconds before a bar appears: short work shows none."""


def wanted() -> bool:
    """Whether somebody watches: a live kernel or a terminal, not CI and not a headless run of a notebook.

    Set the environment variable PMP_KIT_PROGRESS to 0 or 1 to decide it yourself.
    """
    choice = os.environ.get("PMP_KIT_PROGRESS")
    if choice is not None:
        return choice != "0"
    if os.environ.get("CI"):
        return False
    return "ipykernel" in sys.modules or sys.stderr.isatty()


class bar:
    """A bar that counts to `total`, as a context manager; made only once the work has lasted `DELAY` seconds.

    In a notebook, tqdm makes widgets even for a bar that it never shows: too slow for the work behind a slider.
    """

    def __init__(self, total: int, description: str):
        self._options = {"total": total, "desc": description, "leave": False}
        self._start, self._shown = time.monotonic(), None
        self.n = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self._shown is not None:
            self._shown.close()

    def update(self, count: int) -> None:
        """Count on; show the bar if it is time."""
        self.n += count
        if self._shown is not None:
            self._shown.update(count)
        elif self.n < self._options["total"] and time.monotonic() - self._start >= DELAY and wanted():
            self._shown = _without_thread()(initial=self.n, miniters=1, **self._options)


def _without_thread() -> type:
    """Return tqdm's bar without its thread that watches for slow updates: with `miniters=1` that has nothing to do."""
    from tqdm.auto import tqdm

    return type("bar", (tqdm,), {"monitor_interval": 0})
