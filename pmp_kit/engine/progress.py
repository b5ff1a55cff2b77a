"""Progress bars for long computations, shown in notebooks and terminals but not in logs."""

import os
import sys
import time

DELAY = 1.0
"""Seconds before a bar appears. Shorter computations show no bar."""
FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
"""What a bar shows. A part of a sample counts, so the numbers of samples themselves would be fractions."""


def wanted() -> bool:
    """Return whether bars are shown: in a notebook kernel or a terminal, but not in continuous integration (CI).

    The environment variable PMP_KIT_PROGRESS overrides this: 0 hides all bars, 1 shows them.
    """
    choice = os.environ.get("PMP_KIT_PROGRESS")
    if choice is not None:
        return choice != "0"
    if os.environ.get("CI"):
        return False
    return _in_notebook() or sys.stderr.isatty()


def tell(line: str) -> None:
    """Print a line of progress on stderr, and in a notebook on stdout, because a notebook shows stderr as an error."""
    print(line, file=sys.stdout if _in_notebook() else sys.stderr)


def _in_notebook() -> bool:
    """Return whether a Jupyter kernel runs this code. Old versions of ipywidgets import ipykernel in any program."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class bar:
    """A context manager for a progress bar that counts to `total` and is created after `DELAY` seconds.

    In a notebook, tqdm creates widgets even for a bar that it never shows. This is too slow for the short computations
    behind a slider.
    """

    def __init__(self, total: float, description: str):
        self._options = {"total": total, "desc": description, "leave": False, "bar_format": FORMAT}
        self._start, self._shown = time.monotonic(), None
        self.n = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self._shown is not None:
            self._shown.close()

    def update(self, count: float) -> None:
        """Add `count` to the counter, up to its total, and show the bar once `DELAY` seconds have passed."""
        count = min(count, self._options["total"] - self.n)
        self.n += count
        if self._shown is not None:
            self._shown.update(count)
        elif self.n < self._options["total"] and time.monotonic() - self._start >= DELAY and wanted():
            self._shown = _without_thread()(initial=self.n, miniters=1, **self._options)


def _without_thread() -> type:
    """Return tqdm's bar without its thread that watches for slow updates: with `miniters=1` that has nothing to do."""
    from tqdm.auto import tqdm

    return type("bar", (tqdm,), {"monitor_interval": 0})
