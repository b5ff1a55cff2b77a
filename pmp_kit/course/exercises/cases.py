"""Cases on which a check tries the reader's function, from the smallest to the largest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .picture import Bars, Picture, written
from .verdict import Mistake, Verdict, agrees, call, difference, recognised, right, run, wrong

SHORT = 16
"""Inputs with more numbers are not written out."""


class Case(NamedTuple):
    """One input of the reader's function."""

    name: str
    """A few words, such as "two spins"."""
    arguments: tuple
    expected: np.ndarray
    mistakes: Sequence[Mistake] = ()
    """Common wrong results on this input."""


def describe(name: str, arguments: Sequence, names: Sequence[str]) -> str:
    """Describe an input in words, with its numbers if there are few."""
    if sum(np.size(argument) for argument in arguments) > SHORT:
        return name
    values = ", ".join(f"{word} = {_write(value)}" for word, value in zip(names, arguments, strict=True))
    return name if name == values else f"{name}, {values}"


def _write(value) -> str:
    """Write an array as nested lists on one line."""
    if np.ndim(value):
        return f"[{', '.join(_write(part) for part in value)}]"
    return written(value, 4)


def judge(
    function: Callable,
    cases: Sequence[Case],
    inputs: Sequence[str],
    draw: Callable[..., Picture] = Bars,
    *,
    praise: str,
    tolerance: float = 1e-4,
) -> Verdict:
    """Try a function on cases, and draw the first one that fails.

    Different mistakes can agree on a small case, so the last case decides which mistake it is.

    Args:
        function: the reader's function.
        cases: from the smallest to the largest.
        inputs: names of the function's arguments.
        draw: draw(given, expected, wrong, title) -> the picture of one case. Single numbers are drawn as bars.
        praise: the message for a right function.
        tolerance: largest difference that counts as equal, relative to the largest expected value (at least 1).

    Returns:
        The verdict. Its picture is the smallest case that fails, or the answer to the last case.
    """
    if not callable(function):
        return run(function)
    results: list[np.ndarray] = []
    for case in cases:
        given, words = call(function, *case.arguments), describe(case.name, case.arguments, inputs)
        if isinstance(given, Verdict) or given.shape != case.expected.shape:
            return wrong(f"{_explain(function, case, cases[-1], given, tolerance)} The input was: {words}.")
        agree = agrees(given, case.expected, tolerance)
        if not agree.all():
            message = _explain(function, case, cases[-1], given, tolerance)
            return wrong(message, _one(draw, case, given, ~agree, f"The smallest case that fails: {words}."))
        results.append(given)
    last, none = cases[-1], np.zeros_like(cases[-1].expected, bool)
    if last.expected.ndim:
        return right(praise, draw(results[-1], last.expected, none, f"Your answer for {last.name}:"))
    names, truth = [case.name for case in cases], np.array([case.expected for case in cases])
    return right(praise, Bars(np.array(results), truth, np.zeros(len(truth), bool), "Your answers:", labels=names))


def _one(draw, case: Case, given: np.ndarray, differs: np.ndarray, title: str) -> Picture:
    """Draw a case that fails."""
    if given.ndim:
        return draw(given, case.expected, differs, title)
    return Bars(given[None], case.expected[None], differs[None], title, labels=[case.name])


def _explain(function: Callable, case: Case, last: Case, given: np.ndarray | Verdict, tolerance: float) -> str:
    """Explain a mistake by what the function returns for the last case.

    Different mistakes can agree on a small case. So the failing case itself is compared with the mistakes only if the
    last case is right, or if the result has a wrong shape.
    """
    if not isinstance(given, Verdict) and given.shape != case.expected.shape:
        known = recognised(given, case.expected, case.mistakes, tolerance)
        if known:
            return known
    final, known = given if case is last else call(function, *last.arguments), None
    if not isinstance(final, Verdict):
        solved = final.shape == last.expected.shape and agrees(final, last.expected, tolerance).all()
        if not solved:
            known = recognised(final, last.expected, last.mistakes, tolerance)
        elif not isinstance(given, Verdict):
            known = recognised(given, case.expected, case.mistakes, tolerance)
    if isinstance(given, Verdict):
        return f"{known} {given.message}" if known else given.message
    return known or difference(given, case.expected)
