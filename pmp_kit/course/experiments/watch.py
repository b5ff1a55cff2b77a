"""Watching a notebook that runs without a reader: which cell, which pieces, and how long it will take."""

import json
import pathlib
import threading
import time

from . import ledger

EVERY = 30.0  # seconds between lines while nothing is finished


class Watch:
    """Prints a line for each finished piece, and now and then one that says that it goes on; as a context manager.

    Args:
        title: begins each line.
        log: of the ledger.
        executed: the notebook, which papermill writes anew after each cell.
        expected: seconds that all of it took before, or None.
    """

    def __init__(self, title: str, log: pathlib.Path, executed: pathlib.Path, expected: float | None):
        self.title, self.log, self.executed, self.expected = title, log, executed, expected
        self.start, self.kept, self.estimate = time.time(), 0.0, None
        self._seen = len(ledger.events(log))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._stop.set()
        self._thread.join()
        self._pieces()

    def _follow(self) -> None:
        last = time.monotonic()
        while not self._stop.wait(1.0):
            if self._pieces() or time.monotonic() - last > EVERY:
                last = time.monotonic()
                print(self.line(), flush=True)

    def _pieces(self) -> int:
        """Print the pieces that are new in the log; returns how many."""
        events = ledger.events(self.log)[self._seen :]
        self._seen += len(events)
        for event in events:
            self.kept += event["seconds"] if event["kept"] else 0.0
            self.estimate = event["estimate"]
            print(f"    {ledger.line(event)}", flush=True)
        return len(events)

    def line(self) -> str:
        """Where it stands: cells, seconds so far, and an estimate of those that are left."""
        elapsed = time.time() - self.start
        if self.expected is not None:
            left = f"about {max(self.expected - elapsed - self.kept, 0):.0f} s left, by the time it took before"
        elif self.estimate is not None:
            left = f"about {self.estimate:.0f} s left in this group of pieces"
        else:
            left = "how long it takes is known after a first run"
        return f"    {self.title}: {self._cells()}{elapsed:.0f} s so far, {left}"

    def _cells(self) -> str:
        try:
            cells = json.loads(self.executed.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError):  # not there yet, or half written
            return ""
        status = [cell["metadata"].get("papermill", {}).get("status") for cell in cells]
        return f"{status.count('completed')} of {len(cells)} cells done, "
