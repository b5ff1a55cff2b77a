"""Functions that all checks share: they call the reader's function and explain how its result differs."""

from __future__ import annotations

import copy
import html
import reprlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool

from .. import mine, plot
from .picture import Picture, written

LARGEST = 1_000_000
"""Results with more numbers are not looked at, because a check expects a few."""
NOTHING = "The function returned nothing. Replace the dots, and return the result."


class Verdict(NamedTuple):
    """The outcome of a check. It is true if the exercise is solved."""

    passed: bool
    message: str
    picture: Picture | None = None

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return ("Right. " if self.passed else "Not yet. ") + self.message

    def _repr_html_(self) -> str:
        colour, head = (plot.RIGHT, "Right.") if self.passed else (plot.WRONG, "Not yet.")
        look = f"border-left: 4px solid {colour}; padding: 2px 0 2px 10px"
        shown = "" if self.picture is None else self.picture.html()
        return f'<div style="{look}"><b>{head}</b> {html.escape(self.message)}{shown}</div>'


class Mistake(NamedTuple):
    """A common wrong answer: its value, and the explanation."""

    value: np.ndarray | float
    message: str


def right(message: str, picture: Picture | None = None) -> Verdict:
    """Return the verdict of a solved exercise."""
    return Verdict(True, message, picture)


def wrong(message: str, picture: Picture | None = None) -> Verdict:
    """Return the verdict of an exercise that is not solved yet."""
    return Verdict(False, message, picture)


def kept(verdict: Verdict, function: Callable, name: str) -> Verdict:
    """Write the function of a solved exercise to mine.py, and add the sentence that says so to the verdict."""
    said = mine.keep(function, name) if verdict else ""
    return verdict._replace(message=f"{verdict.message} {said}".rstrip())


def run(function: Callable, *arguments) -> object:
    """Call the reader's function with copies of the arguments.

    Returns:
        The result, or a verdict if the function is missing, raises an exception, or changes an argument in place.
    """
    if not callable(function):
        return wrong(
            f"The check expected a function and got {type(function).__name__}. Define it with def and pass its name."
        )
    given = copy.deepcopy(arguments)
    try:
        value = function(*given)
    except Exception as error:
        if isinstance(error, NotImplementedError) and not str(error):
            return wrong("The function is not written yet.")
        return wrong(f"The function raised {type(error).__name__}: {str(error).rstrip('.')}.")
    if value is None or value is Ellipsis:
        return wrong(NOTHING)
    for place, (before, after) in enumerate(zip(arguments, given, strict=True), 1):
        if not np.array_equal(before, after):
            return wrong(f"The function changes its argument number {place} in place. Work on a copy of it.")
    return value


def call(function: Callable, *arguments) -> np.ndarray | Verdict:
    """Call the reader's function with copies of the arguments, and return its result as an array of floats.

    The result is a verdict if `run` returns one, or if the result is not numeric.
    """
    return as_array(run(function, *arguments))


def as_array(value) -> np.ndarray | Verdict:
    """Convert an answer to an array of floats, or to a verdict if it is not numeric. A verdict is returned as it is."""
    if isinstance(value, Verdict):
        return value
    if value is None or value is Ellipsis:
        return wrong("The answer is still empty. Replace the dots.")
    size = getattr(value, "size", None)
    if isinstance(size, int) and size > LARGEST:
        return wrong(f"The check expected a few numbers and got an array of shape {value.shape}.")
    try:
        array = np.asarray(value)
    except Exception:
        return wrong(f"The check expected numbers and got {type(value).__name__} that NumPy cannot convert.")
    if array.dtype.kind not in "biuf":
        return wrong(f"The check expected real numbers and got {type(value).__name__} of dtype {array.dtype}.")
    return array.astype(float)


def arrays(answer, *names: str) -> list[np.ndarray] | Verdict:
    """Convert an answer of several arrays, or return a verdict if it is none."""
    if isinstance(answer, Verdict):
        return answer
    if answer is None or answer is Ellipsis:
        return wrong(NOTHING)
    if not isinstance(answer, tuple | list) or len(answer) != len(names):
        count = {2: "two", 3: "three"}[len(names)]
        return wrong(f"The check expected {count} arrays of numbers. Return {', '.join(names)}.")
    found = []
    for one in map(as_array, answer):
        if isinstance(one, Verdict):
            return one
        found.append(one)
    return found


def shown(value) -> str:
    """Write an answer in a few characters."""
    try:
        return reprlib.repr(value)
    except Exception:  # such as an integer with more than 4,300 digits
        return f"an object of type {type(value).__name__}"


def equal(given: np.ndarray, expected: np.ndarray, tolerance: float) -> Bool[np.ndarray, ...]:
    """Return which entries agree: within the tolerance, both infinite with the same sign, or both not a number."""
    with np.errstate(all="ignore"):
        return (given == expected) | (np.isnan(given) & np.isnan(expected)) | (np.abs(given - expected) <= tolerance)


def agrees(given: np.ndarray, expected: np.ndarray, tolerance: float) -> Bool[np.ndarray, ...]:
    """Return which entries agree, with a tolerance relative to the largest expected value (at least 1)."""
    return equal(given, expected, tolerance * max(1.0, float(np.abs(expected).max())))


def recognised(given: np.ndarray, expected: np.ndarray, mistakes: Sequence[Mistake], tolerance: float) -> str | None:
    """Return the explanation of a common mistake: a listed one, a sign, a transpose, a constant, or a factor."""
    for mistake in mistakes:
        value = np.asarray(mistake.value, float)
        near = tolerance * np.abs(value[np.isfinite(value)]).max(initial=1e-3)  # some mistakes are 1e9 times too small
        if given.shape == value.shape and equal(given, value, near).all():
            return mistake.message
    if given.shape != expected.shape or not np.isfinite(given).all():
        return None
    if agrees(given, -expected, tolerance).all():
        return "The result is right up to the sign."
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and agrees(given.T, expected, tolerance).all():
        return "The result is right, but its rows and columns are exchanged."
    with np.errstate(all="ignore"):
        shift, factor = given - expected, (given * expected).sum() / max((expected**2).sum(), 1e-30)
        if given.size > 2 and agrees(given - shift.flat[0], expected, tolerance).all():
            return f"The result is right up to the normalisation. Every number is {shift.flat[0]:+.3g} off."
        other = abs(factor) > 1e-3 and f"{factor:.3g}" != "1"  # float16 differs from the result by rounding alone
        if given.size > 2 and other and agrees(given / factor, expected, tolerance).all():
            return f"The result is right up to a factor. Every number is {factor:.3g} times the right one."
    return None


def difference(given: np.ndarray, expected: np.ndarray) -> str:
    """Describe a difference that no common mistake explains."""
    if given.shape != expected.shape and not expected.ndim:
        return f"The check expected one number and got shape {given.shape}."
    if given.shape != expected.shape:
        return f"The check expected shape {expected.shape} and got {given.shape}."
    if not np.isfinite(given).all() and not given.ndim:
        return "The result is infinite or not a number."
    if not np.isfinite(given).all():
        return f"{np.sum(~np.isfinite(given))} of {given.size} numbers are infinite or not a number."
    with np.errstate(all="ignore"):
        worst = np.unravel_index(np.abs(given - expected).argmax(), given.shape)
    place = f" at index {tuple(int(i) for i in worst)}" if given.ndim else ""
    pairs = [(written(expected[worst], digits), written(given[worst], digits)) for digits in range(4, 18)]
    number, returned = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
    return f"The right number{place} is {number}, and the function returned {returned}."
