"""Print the progress of a notebook that is executed non-interactively: cells, pieces, and the remaining time."""

import json
import pathlib
import threading
import time

from . import ledger

EVERY = 30.0  # seconds between two lines while no piece is finished


class Watch:
    """A context manager that prints a line for each finished piece, and a progress line every `EVERY` seconds.

    Args:
        title: the first word of each progress line.
        log: the log file of the ledger.
        executed: the executed notebook. Papermill rewrites it after each cell.
        expected: seconds that an earlier run took, or None.
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
        """Print the new pieces of the log, and return their number."""
        events = ledger.events(self.log)[self._seen :]
        self._seen += len(events)
        for event in events:
            self.kept += event["seconds"] if event["kept"] else 0.0
            self.estimate = event["estimate"]
            print(f"    {ledger.line(event)}", flush=True)
        return len(events)

    def line(self) -> str:
        """Return the progress line: finished cells, elapsed seconds, and an estimate of the remaining seconds."""
        elapsed = time.time() - self.start
        if self.expected is not None:
            left = f"about {max(self.expected - elapsed - self.kept, 0):.0f} s left, judging by the last run"
        elif self.estimate is not None:
            left = f"about {self.estimate:.0f} s left in this group of pieces"
        else:
            left = "no estimate before a first run"
        return f"    {self.title}: {self._cells()}{elapsed:.0f} s so far, {left}"

    def _cells(self) -> str:
        try:
            cells = json.loads(self.executed.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError):  # the file does not exist yet, or is incomplete
            return ""
        status = [cell["metadata"].get("papermill", {}).get("status") for cell in cells]
        return f"{status.count('completed')} of {len(cells)} cells done, "
