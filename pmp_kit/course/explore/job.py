"""Long work behind a picture: a thread that can be started, paused, stepped and joined."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable


class Job:
    """Repeats one step of work in a thread of its own, until it is paused; the thread ends then.

    A paused job has no thread, so no thread is left when a page is closed. Never call `join` or `run` while holding a
    lock that `work` needs.

    Args:
        name: of the thread.
        work: one step; its result is not used.
        failed: called with the exception of a step that raised; the job is paused then. It is not called when
            the program ends during a step.
        over: asked after each step; True pauses the job. New work may arrive meanwhile, followed by `start`.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        failed: Callable[[Exception], None],
        over: Callable[[], bool] = lambda: False,
    ):
        self._name, self._work, self._failed, self._over = name, work, failed, over
        self._running = threading.Event()
        self._turn, self._starting = threading.Lock(), threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the thread repeats the work."""
        return self._running.is_set()

    def start(self) -> None:
        """Start the thread, unless it is running.

        Raises:
            RuntimeError: no thread can be started here.
        """
        with self._starting:
            if self.running:
                return
            self._running.set()
            thread = threading.Thread(target=self._go_on, args=(self._thread,), name=self._name)
            try:
                thread.start()
            except RuntimeError:
                self._running.clear()
                raise
            self._thread = thread

    def start_or_finish(self) -> None:
        """Start the thread; where none can be started, do all of the work in the thread of the caller."""
        try:
            self.start()
        except RuntimeError:
            try:
                while not self._over():
                    self.run()
            except Exception as error:
                self._failed(error)

    def pause(self) -> None:
        """Stop after the current step; does not wait."""
        self._running.clear()

    def join(self) -> None:
        """Wait until a paused job's thread has ended."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            self._thread = None

    def run(self, steps: int = 1) -> None:
        """Do some steps in the thread of the caller; a failure is raised."""
        for _ in range(steps):
            with self._turn:
                self._work()

    def _go_on(self, before: threading.Thread | None) -> None:
        """Repeat the work. A paused thread before this one may be in its last step, and may go on with the work."""
        if before is not None:
            before.join()
        try:
            while self.running and threading.main_thread().is_alive():
                self.run()
                with self._starting:
                    if self._over():
                        self._running.clear()
        except Exception as error:
            self._running.clear()
            if threading.main_thread().is_alive():  # else the program ends, and the threads of the samplers have ended
                self._failed(error)


def warm_up(calls: Iterable[Callable[[], object]], failed: Callable[[Exception], None]) -> Job:
    """Make calls in a thread beside the first pictures, so that no control has to wait for a compiler later.

    Where no thread can be started, the first use of a control compiles.

    Args:
        calls: made one after another; each of them compiles something.
        failed: as for `Job`.
    """
    left = list(calls)
    job = Job("warm-up", lambda: left.pop(0)(), failed, lambda: not left)
    with contextlib.suppress(RuntimeError):
        job.start()
    return job
