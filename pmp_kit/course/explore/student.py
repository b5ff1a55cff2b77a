"""A sampler that a reader wrote, run in the background of an explorer, one part of the work at a time."""

from __future__ import annotations

import html
import linecache
import threading
import traceback
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float, Int

from . import layout

Sampler = Callable[[np.ndarray, np.ndarray, int, float], object]
"""A function of unaries (S, n), weight (n, n), num_sweeps and damping that returns states (S, n) of 0 and 1.

The unaries are log-odds of state 1 with the noise added. The score of states x is the sum of unaries_i x_i over the
variables plus the sum of weight_ij x_i x_j over the pairs.
"""


class Part(NamedTuple):
    """The arguments of one call."""

    unaries: Float[np.ndarray, "S n"]
    weight: Float[np.ndarray, "n n"]
    num_sweeps: int
    damping: float


class Run:
    """The work on one question. A thread that works on an old question changes nothing that is shown."""

    def __init__(self, question: Hashable):
        self.question = question
        self.results: list[np.ndarray] = []
        self.stopped = threading.Event()
        self.thread: threading.Thread | None = None


class Student:
    """A reader's sampler, with progress and a button that stops it.

    Only one question is worked on at a time: a new one ends the work on the old one after its current call. What the
    function raises, and what it returns in a wrong form, is shown as a sentence with the line of the function.

    Args:
        function: the sampler.
        changed: called in the background thread after each result.

    Attributes:
        widget: one line that shows the progress or the error, and the button.
        error: the sentence about the last error, or empty.
    """

    def __init__(self, function: Sampler, changed: Callable[[], None]):
        if not callable(function):
            raise TypeError(
                f"sampler: expected a function of (unaries, weight, num_sweeps, damping), got "
                f"{type(function).__name__}; pass its name without parentheses"
            )
        self.function, self._changed = function, changed
        self.name = getattr(function, "__name__", type(function).__name__)
        self._run, self._turn = Run(None), threading.Lock()
        self.error, self._line = "", layout.text("", "pmp-status")
        self._button = widgets.Button(description="stop", layout=widgets.Layout(width="70px"), disabled=True)
        self._button.on_click(lambda _: self.stop())
        self.widget = widgets.HBox([self._line, self._button])

    def ask(self, question: Hashable, parts: Sequence[Part]) -> list[Int[np.ndarray, "S n"]]:
        """Return the results for the first parts that are done; work on the rest goes on in the background.

        Args:
            question: names the parts; the same question again does not start the work again.
            parts: the calls in order.
        """
        if question != self._run.question:
            self.stop()
            self.error, self._button.disabled = "", False
            self._run = Run(question)
            self._start(parts, self._run)
        return list(self._run.results)

    def stop(self) -> None:
        """Stop after the current call."""
        self._run.stopped.set()

    def join(self) -> None:
        """Wait for the background thread to end. Never call it while holding a lock that `changed` needs."""
        if self._run.thread is not None:
            self._run.thread.join()

    def _start(self, parts: Sequence[Part], run: Run) -> None:
        thread = threading.Thread(target=self._work, args=(parts, run), name=f"sampler {self.name}")
        try:
            thread.start()
            run.thread = thread
        except RuntimeError:  # where no thread can start, the explorer waits for the function
            self._work(parts, run)

    def _work(self, parts: Sequence[Part], run: Run) -> None:
        for number, part in enumerate(parts):
            if run.stopped.is_set() or not threading.main_thread().is_alive():
                break
            try:
                with self._turn:  # an old question may be in its last call, and calls of large models need much memory
                    if run.stopped.is_set():
                        break
                    result = checked(self.function(*part), part.unaries.shape)
            except Exception as error:
                self._end(run, f"{self.name}: {sentence(self.function, error)}")
                return
            run.results.append(result)
            if run is self._run:
                self._line.value = html.escape(f"{self.name}: {number + 1} of {len(parts)} calls done")
                self._changed()
        self._end(run, "")

    def _end(self, run: Run, error: str) -> None:
        """Show how a run ended, unless another one has begun."""
        if run is self._run:
            self.error, self._button.disabled = error, True
            if error:
                self._line.value = html.escape(error)
            self._changed()


def checked(states: object, shape: tuple[int, ...]) -> Int[np.ndarray, "S n"]:
    """Return what a sampler returned as an array of 0 and 1.

    Raises:
        ValueError: it has another shape or other values.
    """
    if states is None:
        raise ValueError("the function returned nothing; end it with `return states`")
    array = np.asarray(states)
    if array.shape != shape:
        raise ValueError(f"expected states of shape {shape}, got {array.shape}; return one row for each sample")
    if not np.isin(array, (0, 1)).all():
        odd = array[~np.isin(array, (0, 1))].flat[0]
        raise ValueError(f"expected states 0 and 1, got {odd}; decode the beliefs with `beliefs > 0`")
    return array.astype(np.int32)


def sentence(function: Callable, error: Exception) -> str:
    """Return an exception as one sentence, with the line of the function where it came from."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code is not None and frame.filename == code.co_filename]
    if not own or code is None:
        return f"{type(error).__name__}: {error}"
    number = (own[-1].lineno or 0) - code.co_firstlineno + 1
    line = linecache.getline(own[-1].filename, own[-1].lineno or 0).strip()
    return f"{type(error).__name__} in line {number}, `{line}`: {error}"
