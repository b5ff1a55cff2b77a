"""Exercise of notebook 11: compute the messages of a factor that allows exactly k of n variables to be 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from ..explore.factors.compute import by_trying_all
from .verdict import Mistake, Verdict, call, compare, wrong

Odds = Float[np.ndarray, " n"]

PLAIN = np.array([1.5, -0.7, 2.2, 0.4, -1.8, 0.9]), 4
TIED = np.array([0.8, 1.3, 0.8, 0.8, -0.6]), 2
"""The second and the third largest are equal."""


def truth(t: Odds, k: int) -> Odds:
    """Compute the right messages by enumeration."""
    return by_trying_all("exactly k", t, k, 0.0, 0)


SENTENCES = {
    "exchanged": "the two numbers are exchanged: one of the k largest competes with the best that is left out, "
    "t_(k+1); one of the others with the last that is in, t_(k).",
    "sign": "you passed the message of the wrong direction, or lost a sign: to be on, a variable must push another "
    "one out. The stronger that other one, the less welcome it is.",
    "itself": "you compare each variable with t_(k), itself among them: leave the variable's own t out, then sort.",
    "outer": "every variable gets -t_(k+1): that is right for the k largest only. The others compete with t_(k).",
    "belief": "that is the belief: t itself must not be in the message, because the variable has its own t already.",
    "unsorted": "you forgot to sort: the k-th entry of t is not the k-th largest.",
    "smallest": "you sorted the wrong way round: t_(1) is the largest.",
    "sum": "this is sum-product at temperature 1: take the largest sum, not the log of the sum of exponentials.",
    "at most": "that is the message of 'at most k': here too few are as bad as too many.",
    "at least": "that is the message of 'at least k': here too many are as bad as too few.",
    "one more": "that is the message for k + 1: Python counts from 0, so t_(k) is entry k - 1.",
    "one less": "that is the message for k - 1: an index is one too small.",
    "unchanged": "this is what comes in, unchanged.",
}
"""The explanation of each common wrong answer."""


def _mistakes(t: Odds, k: int) -> list[Mistake]:
    """Return the wrong answers, each with its explanation."""
    order, right, place = np.sort(t)[::-1], truth(t, k), np.arange(t.size)
    inner, outer = order[k - 1], order[k]
    wrong_answers = {
        "exchanged": np.where(t >= inner, -inner, -outer),
        "sign": -right,
        "itself": np.full(t.size, -inner),
        "outer": np.full(t.size, -outer),
        "belief": right + t,
        "unsorted": np.where(place < k, -t[k], -t[k - 1]),
        "smallest": np.where(t <= order[-k], -order[-k - 1], -order[-k]),
        "sum": by_trying_all("exactly k", t, k, 1.0, 0),
        "at most": by_trying_all("at most k", t, k, 0.0, 0),
        "at least": by_trying_all("at least k", t, k, 0.0, 0),
        "one more": truth(t, k + 1),
        "one less": truth(t, k - 1),
        "unchanged": t,
    }
    return [Mistake(answer, SENTENCES[name]) for name, answer in wrong_answers.items()]


def check_exactly_k(messages: Callable) -> Verdict:
    """Check the max-product messages of a factor that allows exactly k of its n variables to be 1.

    Args:
        messages: messages(t (n,), k) -> (n,), the log-odds sent to each variable. t are the incoming log-odds, and
            0 < k < n.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    t, k = PLAIN
    given = call(messages, t.copy(), k)
    praise = "all messages agree with trying every configuration, with and without ties."
    verdict = compare(given, truth(t, k), _mistakes(t, k), praise=praise)
    if not verdict:
        return verdict
    for t, k in ((PLAIN[0], 1), (PLAIN[0], PLAIN[0].size - 1), TIED):
        again = compare(call(messages, t.copy(), k), truth(t, k), praise=praise)
        if not again and t is TIED[0]:
            return wrong(
                f"right without ties. With t = {t.tolist()} and k = {k} it fails: three variables have the same t, and "
                "removing one by its value removes all of them. Remove it by its index."
            )
        if not again:
            return wrong(f"right for k = {PLAIN[1]}, but not for k = {k} of {t.size}: {again.message}")
    return verdict
