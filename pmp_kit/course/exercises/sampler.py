"""Exercises on the sampler: write evidence as unaries, and compute the anytime curve."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from jaxtyping import Bool

from .cases import Case, describe, judge
from .grids import Cells
from .picture import Curve
from .verdict import Mistake, Verdict, agrees, call, right, run, wrong

FREE = -1
ROUNDING = 1e-5
"""Largest accepted relative change of a unary, because a reader may compute in float32."""
FAR = 5.0
"""A state is meant to be excluded if its score is lower than that of the other state by more than this, in nats."""


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Unaries (n, 2) of binary variables, and evidence (n,): 0, 1 or FREE."""
    one, two = np.array([[0.5, -0.25]]), np.array([[0.5, -0.25], [1.0, 0.75]])
    six = np.random.default_rng(5).normal(0.0, 1.0, (6, 2))
    return {
        "one variable that is free": (one, np.array([FREE])),
        "one variable that is given": (one, np.array([1])),
        "one variable that is given as 0": (one, np.array([0])),
        "two variables": (two, np.array([FREE, 1])),
        "six variables": (six, np.array([FREE, 0, 1, FREE, 0, FREE])),
    }


def check_clamp(clamp: Callable) -> Verdict:
    """Check that evidence is written as unaries: 0 for the observed state and minus infinity for the other state.

    Args:
        clamp: clamp(unaries (n, 2), evidence (n,) of 0, 1 or -1 for free) -> unaries (n, 2).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    if not callable(clamp):
        return run(clamp)
    problems, given, expected = _problems(), np.zeros(0), np.zeros(0)
    labels = ["x = 0", "x = 1"]
    for name, problem in problems.items():
        unaries = problem[0]
        given, words = call(clamp, *problem), describe(name, problem, ("unaries", "evidence"))
        if isinstance(given, Verdict):
            return wrong(f"{given.message} The input was: {words}.")
        if given.shape != unaries.shape:
            sizes = f"shape {unaries.shape}, one number for each state of each variable, and got {given.shape}"
            return wrong(f"The check expected {sizes}. The input was: {words}.")
        expected, differs = _clamped(*problem), _differs(given, *problem)
        if differs.any():
            last = call(clamp, *problems["six variables"])
            known = None if isinstance(last, Verdict) else _explanation(last, *problems["six variables"])
            picture = Cells(given, expected, differs, f"The smallest case that fails: {words}.", columns=labels)
            return wrong(known or _explanation(given, *problem) or "Some numbers differ.", picture)
    picture = Cells(given, expected, np.zeros(given.shape, bool), "Your answer for six variables:", columns=labels)
    finite = np.isfinite(expected)
    if not agrees(given[finite], expected[finite], ROUNDING).all():
        constant = "In the paper the given state has the score 0. Your version adds a constant to all scores."
        return right(f"The given states are fixed. {constant}", picture)
    return right("Only the given states remain possible, and the unaries of free variables are unchanged.", picture)


def _clamped(unaries: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    """Return the unaries with the evidence as in the paper."""
    return np.where((evidence == FREE)[:, None], unaries, np.where(np.eye(2)[evidence] == 1, 0.0, -np.inf))


def _differs(given: np.ndarray, unaries: np.ndarray, evidence: np.ndarray) -> Bool[np.ndarray, "n 2"]:
    """Return which numbers are wrong. Any finite number is right for an observed state."""
    observed = np.eye(2)[evidence] == 1
    known = np.where(observed, ~np.isfinite(given), ~np.isneginf(given))
    return np.where((evidence == FREE)[:, None], ~agrees(given, unaries, ROUNDING), known)


def _explanation(given: np.ndarray, unaries: np.ndarray, evidence: np.ndarray) -> str | None:
    """Explain what is wrong with clamped unaries, or return None if nothing is."""
    if given.shape != unaries.shape:
        return None
    known = evidence != FREE
    state = evidence[known]
    if np.isnan(given).any():
        return "Some numbers are not a number, because 0 * inf is none. Use np.where or assign, do not multiply."
    seen, other = given[known][range(len(state)), state], given[known][range(len(state)), 1 - state]
    if known.any() and np.isneginf(seen).all() and not np.isneginf(other).any():
        return "The two states are exchanged: the given state is forbidden, and the other one is allowed."
    if np.isposinf(given).any():
        return "Plus infinity makes every score infinite. Give the other state -inf instead."
    if not np.isneginf(other).all():
        possible = ~np.isneginf(other)
        if (seen[possible] - other[possible]).max(initial=0.0) > FAR:
            return "A finite number only makes a state improbable. The exercise asks to exclude it: use -inf."
        return "A given variable can still take its other state. The score of that state must be -inf."
    if not np.isfinite(seen).all():
        return "Both states of a given variable are forbidden, so no configuration is possible."
    if not agrees(given, unaries, ROUNDING)[~known].all():
        index = "" if np.isfinite(given[~known]).all() else " As an index, -1 means the last state."
        return f"The unaries of free variables changed. Leave these variables out.{index}"
    return None


def _curve_mistakes(scores: np.ndarray, best: np.ndarray) -> list[Mistake]:
    """Common wrong anytime curves, each with its explanation."""
    return [
        Mistake(best, "The best score so far of each sample is right. Now take the mean over the samples, axis 1."),
        Mistake(
            scores.mean(1), "This is the mean of the current scores. It can fall. Keep the best score of each sample."
        ),
        Mistake(
            np.maximum.accumulate(scores.mean(1)),
            "You took the best mean. Each sample has its best sweep, so first take the best so far and then the mean.",
        ),
        Mistake(
            np.maximum.accumulate(scores.max(1)), "This is the best of all samples. Take the mean over the samples."
        ),
        Mistake(np.maximum.accumulate(scores, axis=1).mean(1), "You took the best along samples. Sweeps are axis 0."),
        Mistake(scores.max(1), "This is the best sample of each sweep. The best so far runs along sweeps, axis 0."),
        Mistake(
            np.minimum.accumulate(scores, axis=0).mean(1),
            "This is the worst score so far. A large score is good, and a small energy is good.",
        ),
        Mistake(
            np.full(len(scores), best[-1].mean()),
            "Every number is the result of the last sweep. At sweep t use only sweeps 0 to t.",
        ),
        Mistake(best.sum(1), "This is the sum over the samples. Take their mean."),
    ]


def check_anytime(curve: Callable) -> Verdict:
    """Check the anytime curve: the mean over samples of the best score so far.

    Args:
        curve: curve(scores (T, N)) -> (T,); scores[t, s] is the score of the decoded state of sample s after sweep t.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw, cases = np.random.default_rng(2), []
    many = np.linspace(-3.0, 4.0, 12)[:, None] + draw.normal(0.0, 3.0, (12, 7))
    for name, scores in {
        "three sweeps of one sample": np.array([[1.0], [0.0], [2.0]]),
        "three sweeps of two samples": np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 1.0]]),
        "twelve sweeps of seven samples": many,
    }.items():
        best = np.maximum.accumulate(scores, axis=0)
        cases.append(Case(name, (scores,), best.mean(1), _curve_mistakes(scores, best)))
    praise = "The curve never falls, because more sweeps can only improve the best score."
    return judge(curve, cases, ["scores"], functools.partial(Curve, axis="sweep"), praise=praise)
