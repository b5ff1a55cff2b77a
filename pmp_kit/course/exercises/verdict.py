"""Functions that all checks share: they compare an answer with the right one and with common mistakes."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np


class Verdict(NamedTuple):
    """The outcome of a check. It is true if the exercise is solved."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return ("right: " if self.passed else "not yet: ") + self.message

    def _repr_html_(self) -> str:
        colour, head = ("#009E73", "Right.") if self.passed else ("#D55E00", "Not yet.")
        look = f"border-left: 4px solid {colour}; padding: 2px 0 2px 10px"
        return f'<div style="{look}"><b>{head}</b> {html.escape(self.message)}</div>'


class Mistake(NamedTuple):
    """A common wrong answer: its value, and the explanation."""

    value: np.ndarray
    message: str


def right(message: str) -> Verdict:
    """Return the verdict of a solved exercise."""
    return Verdict(True, message)


def wrong(message: str) -> Verdict:
    """Return the verdict of an exercise that is not solved yet."""
    return Verdict(False, message)


def call(function: Callable, *arguments) -> np.ndarray | Verdict:
    """Call the reader's function, and return its result as an array of floats.

    The result is a verdict if the function raises an exception or returns no numbers.
    """
    if not callable(function):
        return wrong(f"expected a function, got {type(function).__name__}: write def ...: and pass its name.")
    try:
        value = function(*arguments)
    except NotImplementedError:
        return wrong("the function is not written yet.")
    except Exception as error:
        return wrong(f"the function raised {type(error).__name__}: {error}")
    return as_array(value)


def as_array(value) -> np.ndarray | Verdict:
    """Convert an answer to an array of floats, or to a verdict if it is not numeric."""
    if value is None or value is Ellipsis:
        return wrong("nothing came back yet: fill in the dots, and return the result.")
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        return wrong(f"expected numbers, got {type(value).__name__}.")


def compare(
    given: np.ndarray | Verdict,
    expected: np.ndarray,
    mistakes: Sequence[Mistake] = (),
    *,
    praise: str,
    tolerance: float = 1e-4,
) -> Verdict:
    """Compare an answer with the right one and explain the difference.

    Args:
        given: the reader's values, or a verdict, which is returned.
        expected: the right values.
        mistakes: common wrong answers. The verdict explains the first one that equals the answer.
        praise: the message for a right answer.
        tolerance: largest difference that counts as equal, relative to the largest expected value (at least 1).
    """
    if isinstance(given, Verdict):
        return given
    if given.shape != expected.shape:
        return wrong(f"expected shape {expected.shape}, got {given.shape}.")
    if not np.isfinite(given).all():
        return wrong(f"{np.sum(~np.isfinite(given))} of {given.size} numbers are infinite or not a number.")
    tolerance *= max(1.0, float(np.abs(expected).max()))
    if np.abs(given - expected).max() <= tolerance:
        return right(praise)
    for mistake in mistakes:
        if np.abs(given - mistake.value).max() <= tolerance:
            return wrong(mistake.message)
    return wrong(_general(given, expected, tolerance))


def _general(given: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """Describe a difference in general terms: a sign, a factor, a constant, or the largest difference."""
    if np.abs(given + expected).max() <= tolerance:
        return "right up to the sign."
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and np.abs(given.T - expected).max() <= tolerance:
        return "right, but rows and columns are exchanged."
    shift = given - expected
    if given.size > 2 and np.ptp(shift) <= tolerance:
        return f"right up to the normalisation: every number is {shift.flat[0]:+.3g} off."
    factor = float((given * expected).sum() / max((expected**2).sum(), 1e-30))
    if given.size > 2 and abs(factor) > 1e-3 and np.abs(given - factor * expected).max() <= tolerance:
        return f"right up to a factor: every number is {factor:.3g} times too large."
    worst = np.unravel_index(np.abs(shift).argmax(), shift.shape)
    place = f" at index {tuple(int(i) for i in worst)}" if given.ndim else ""
    return f"expected {expected[worst]:.4g}{place}, got {given[worst]:.4g}."
