"""Exercises of notebook 04: write evidence as unaries, and compute the anytime curve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .verdict import Mistake, Verdict, call, compare, right, wrong

FREE = -1


def _problem() -> tuple[np.ndarray, np.ndarray]:
    """Unaries (n, 2) of six binary variables, and evidence (n,): two are 0, one is 1, three are free."""
    return np.random.default_rng(5).normal(0.0, 1.0, (6, 2)), np.array([FREE, 0, 1, FREE, 0, FREE])


def check_clamp(clamp: Callable) -> Verdict:
    """Check that evidence is written as unaries: 0 for the observed state and minus infinity for the other state.

    Args:
        clamp: clamp(unaries (n, 2), evidence (n,) of 0, 1 or -1 for free) -> unaries (n, 2).

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    unaries, evidence = _problem()
    kept = unaries.copy()
    given = call(clamp, kept, evidence.copy())
    if isinstance(given, Verdict):
        return given
    if given.shape != unaries.shape:
        return wrong(f"expected shape {unaries.shape}, one number for each state of each variable, got {given.shape}.")
    known = evidence != FREE
    state = evidence[known]
    if np.isnan(given).any():
        return wrong("some numbers are not a number: 0 * inf is one; choose with np.where or assign, do not multiply.")
    seen, other = given[known][range(len(state)), state], given[known][range(len(state)), 1 - state]
    if np.isneginf(seen).all() and not np.isneginf(other).any():
        return wrong("the wrong way round: the state that was seen is forbidden, the other one is allowed.")
    if np.isposinf(given).any():
        return wrong(
            "plus infinity breaks the score of every configuration: forbid the other state instead, with -inf."
        )
    if not np.isneginf(other).all():
        strong = np.abs(given - unaries)[known].max() > 1.0
        if strong:
            return wrong("a large finite number is a strong wish, no clamp: noise can overrule it. Take -inf.")
        return wrong("a variable that was seen can still take its other state: its score must be -inf.")
    if not np.isfinite(seen).all():
        return wrong("both states of a variable that was seen are forbidden: nothing is left to choose.")
    if np.abs(given[~known] - unaries[~known]).max() > 1e-12:
        return wrong(
            "the unaries of free variables (-1) changed. As an index, -1 means the last state: leave them out."
        )
    if not (kept == unaries).all():
        return wrong("right, but the unaries that were given are changed too: work on a copy.")
    if np.abs(seen).max() > 1e-12:
        return right(
            "clamped. The paper gives the state that was seen the score 0; yours adds a constant to all scores."
        )
    return right("the states that were seen are all that is left, and free variables are as before.")


def check_anytime(curve: Callable) -> Verdict:
    """Check the anytime curve: the mean over samples of the best score so far.

    Args:
        curve: curve(scores (T, N)) -> (T,); scores[t, s] is the score of the decoded state of sample s after sweep t.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw = np.random.default_rng(2)
    scores = np.linspace(-3.0, 4.0, 12)[:, None] + draw.normal(0.0, 3.0, (12, 7))
    best = np.maximum.accumulate(scores, axis=0)
    mistakes = [
        Mistake(scores.mean(1), "this is the mean of the present decodes: it can fall. Keep the best of each sample."),
        Mistake(
            np.maximum.accumulate(scores.mean(1)),
            "you took the best mean. Each sample has its own best sweep: first the best so far, then the mean.",
        ),
        Mistake(np.maximum.accumulate(scores.max(1)), "this is the best of all samples: take the mean over samples."),
        Mistake(scores.max(1), "this is the best sample of each sweep: best so far runs along sweeps, axis 0."),
        Mistake(
            np.minimum.accumulate(scores, axis=0).mean(1), "the worst so far: scores are to be large, energies small."
        ),
        Mistake(
            np.full(12, best[-1].mean()), "this knows the end at the start: at sweep t only sweeps 0 to t are over."
        ),
        Mistake(best.sum(1), "right but for the mean: you have the sum over samples."),
    ]
    given = call(curve, scores.copy())
    if not isinstance(given, Verdict) and given.shape == scores.shape and np.allclose(given, best):
        return wrong("best so far is right, for each sample; now take the mean over the samples, axis 1.")
    return compare(given, best.mean(1), mistakes, praise="it never falls: more sweeps can only help.")
