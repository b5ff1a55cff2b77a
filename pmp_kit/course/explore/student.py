"""A sampler that a reader wrote, run in the background of an explorer, one part of the work at a time."""

from __future__ import annotations

import functools
import html
import linecache
import threading
import traceback
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Float, Int

from . import layout
from .job import Job
from .picture import Explorer

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
        self._question: Hashable = None
        self._results: list[np.ndarray] = []
        self._job: Job | None = None
        self._turn = threading.Lock()
        self.error, self._line = "", layout.text("", "pmp-status")
        self._button = widgets.Button(description="stop", layout=widgets.Layout(width="70px"), disabled=True)
        self._button.on_click(lambda _: self.stop())
        self.widget = widgets.HBox([self._line, self._button])

    def ask(self, question: Hashable, parts: Callable[[], Sequence[Part]]) -> list[Int[np.ndarray, "S n"]]:
        """Return the results for the first parts that are done; work on the rest goes on in the background.

        Args:
            question: names the parts; the same question again does not start the work again.
            parts: makes the calls in order; it is called for a new question only.
        """
        if question != self._question:
            self.stop()
            self.error, self._button.disabled = "", False
            self._results, self._question = [], question  # in this order: `found` may be called in another thread
            self._start(parts(), self._results)
        return self.found(question)

    def found(self, question: Hashable) -> list[Int[np.ndarray, "S n"]]:
        """Return the results so far if this is the question that was asked last, else none."""
        return list(self._results) if question == self._question else []

    def stop(self) -> None:
        """Stop after the current call."""
        self._button.disabled = True
        if self._job is not None:
            self._job.pause()

    def join(self) -> None:
        """Wait for the background thread to end. Never call it while holding a lock that `changed` needs."""
        if self._job is not None:
            self._job.join()

    def _start(self, parts: Sequence[Part], results: list[np.ndarray]) -> None:
        """Work on a question in a job of its own: an old job may be in a call that takes long."""
        failed = functools.partial(self._fail, results)
        work = functools.partial(self._work, parts, results)
        self._job = Job(f"sampler {self.name}", work, failed, over=lambda: len(results) == len(parts))
        self._job.start_or_finish()

    def _work(self, parts: Sequence[Part], results: list[np.ndarray]) -> None:
        """Do the next call. The results of an old question are in another list and change nothing that is shown."""
        with self._turn:  # an old question may be in its last call, and calls of large models need much memory
            if results is not self._results:
                return
            part = parts[len(results)]
            own = part._replace(unaries=np.array(part.unaries), weight=np.array(part.weight))  # it may change them
            results.append(checked(self.function(*own), part.unaries.shape))
        if results is self._results:
            self._line.value = html.escape(f"{self.name}: {len(results)} of {len(parts)} calls done")
            if len(results) == len(parts):
                self._button.disabled = True
            self._changed()

    def _fail(self, results: list[np.ndarray], error: Exception) -> None:
        """Show what the function raised, unless another question has been asked."""
        if results is self._results:
            self.error, self._button.disabled = f"{self.name}: {sentence(self.function, error)}", True
            self._line.value = html.escape(self.error)
            self._changed()


class Taught(Explorer):
    """An explorer with an argument `sampler`: a sampler of the reader, whose progress stands above the controls.

    Args:
        first: as for `Explorer`; its "sampler" is the function, or None.

    Attributes:
        student: runs the function; None without one.
    """

    def __init__(self, first: Mapping[str, Any]):
        sampler = first["sampler"]
        self.student = None if sampler is None else Student(sampler, self.refresh)
        super().__init__(first)

    def stop(self) -> None:
        """End the work in the background; also that of the student."""
        super().stop()
        if self.student is not None:
            self.student.stop()

    def extras(self) -> list[widgets.Widget]:
        """Return the line of the student below what other classes put above the controls."""
        return [*super().extras(), *([self.student.widget] if self.student else [])]


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
