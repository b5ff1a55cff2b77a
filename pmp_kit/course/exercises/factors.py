"""Exercises on factors: compute the messages of an OR, and of a factor that allows exactly k variables to be 1."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float

from ..explore.factors.compute import by_trying_all
from ..mine import reference
from .cases import Case, judge
from .picture import Bars
from .verdict import Mistake, Verdict, agrees, call, kept

Odds = Float[np.ndarray, " n"]

SIX = np.array([1.5, -0.7, 2.2, 0.4, -1.8, 0.9])
PROBLEMS = {
    "two variables": (np.array([1.5, -0.5]), 1),
    "three variables": (np.array([0.5, -1.0, 2.0]), 1),
    "three variables and k = 2": (np.array([0.5, -1.0, 2.0]), 2),
    "six variables and k = 1": (SIX, 1),
    "six variables and k = 5": (SIX, 5),
    "six variables": (SIX, 4),
}
TIES = {
    "two equal variables of three": (np.array([0.8, 0.8, -0.6]), 1),
    "three equal variables of five": (np.array([0.8, 1.3, 0.8, 0.8, -0.6]), 2),
}


def truth(t: Odds, k: int) -> Odds:
    """Compute the right messages by enumeration."""
    return by_trying_all("exactly k", t, k, 0.0, 0)


SENTENCES = {
    "exchanged": "The two numbers are exchanged. One of the k largest competes with t_(k+1), the largest of the "
    "others. One of the others competes with t_(k).",
    "sign": "The message has the wrong direction or the wrong sign. If a variable is 1, another one of the k must be "
    "0, so a large t of that one lowers the message.",
    "itself": "You compare each variable with t_(k) of all variables. Leave out the t of the variable itself, and then "
    "sort.",
    "outer": "Every variable gets -t_(k+1). This is right for the k largest only. The others compete with t_(k).",
    "belief": "This is the belief. The message does not include the t of the variable itself.",
    "unsorted": "The values are not sorted. Entry k of t is not the k-th largest.",
    "smallest": "The order is reversed. t_(1) is the largest.",
    "sum": "This is sum-product at temperature 1. Take the largest sum, not the log of the sum of exponentials.",
    "at most": "This is the message of 'at most k'. For 'exactly k' fewer than k are forbidden too.",
    "at least": "This is the message of 'at least k'. For 'exactly k' more than k are forbidden too.",
    "one more": "This is the message for k + 1. Python counts from 0, so t_(k) is entry k - 1.",
    "one less": "This is the message for k - 1. An index is too small by 1.",
    "unchanged": "These are the incoming messages, unchanged.",
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
        messages: messages(t (n,), k) -> (n,), the messages to the variables. t are the incoming messages, and
            0 < k < n.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    draw = functools.partial(Bars, axis="variable")
    cases = [Case(name, problem, truth(*problem)) for name, problem in PROBLEMS.items()]
    cases[-1] = cases[-1]._replace(mistakes=_mistakes(*PROBLEMS["six variables"]))
    praise = "All messages agree with enumeration, with ties and without."
    verdict = judge(messages, cases, ("t", "k"), draw, praise=praise)
    if not verdict:
        k_4 = judge(messages, cases[-1:], ("t", "k"), draw, praise="")
        return verdict._replace(message=f"k = 4 of 6 is right. {verdict.message}") if k_4 else verdict
    ties = [Case(name, problem, truth(*problem)) for name, problem in TIES.items()]
    tied = judge(messages, ties, ("t", "k"), draw, praise="")
    if tied:
        return verdict
    hint = (
        "Several variables have the same t. Removing one by its value removes all of them, so remove it by its index."
    )
    return tied._replace(message=f"The messages are right without ties. With ties they are not. {hint} {tied.message}")


OR_PROBLEMS = {
    "two inputs": np.array([0.5, -1.0, 2.0]),
    "two inputs below 0": np.array([-0.5, -1.5, 1.0]),
    "two equal inputs": np.array([0.75, 0.75, -0.5]),
    "an output far below 0": np.array([1.5, 0.5, -3.0]),
    "five inputs": np.array([1.5, -0.7, 2.2, -1.8, 0.9, 1.6]),
    "five inputs and an output below 0": np.array([1.5, -0.7, 0.8, -1.8, 0.9, -4.1]),
}
"""Log-odds that arrive from the inputs and, at the end, from the output."""


def _or_mistakes(incoming: Odds) -> list[Mistake]:
    """Return common wrong messages of an OR, each with its explanation."""
    inputs, output, expected = incoming[:-1], incoming[-1], reference.or_update(incoming)
    positive = np.maximum(0, inputs)
    others = np.array([np.delete(inputs, i).max() for i in range(len(inputs))])
    on, best = output + positive.sum() - positive, inputs.max()
    off = np.maximum(0, others) - others

    def both(to_inputs):
        return np.append(np.minimum(to_inputs, off), expected[-1])

    return [
        Mistake(both(on + positive), "The message to an input includes the input itself. Leave its max(0, t) out."),
        Mistake(both(on - output), "The messages to the inputs ignore the output. Add what arrives from it."),
        Mistake(
            np.append(np.minimum(on, np.maximum(0, best) - best), expected[-1]),
            "You use the largest of all inputs. The largest of the OTHER inputs competes with this one.",
        ),
        Mistake(
            np.append(on, expected[-1]),
            "If another input is 1 anyway, the output is 1 anyway. The minimum with max(0, -K) is missing, where K "
            "is the largest of what the other inputs send.",
        ),
        Mistake(
            np.append(expected[:-1], positive.sum()),
            "If the output is 1, at least one input is 1. Add min(0, largest input) to the message to the output.",
        ),
        Mistake(np.append(expected[:-1], best), "Every positive input adds to the score of output 1, not one alone."),
        Mistake(
            by_trying_all("OR", incoming, 0, 1.0, 0),
            "This is sum-product at temperature 1. Take the largest sum, not the log of the sum of exponentials.",
        ),
        Mistake(by_trying_all("AND", incoming, 0, 0.0, 0), "These are the messages of an AND."),
        Mistake(expected + incoming, "These are the beliefs. Leave out what arrives from the receiver of the message."),
        Mistake(-expected, "The sign is wrong. A message is the score of state 1 minus the score of state 0."),
        Mistake(incoming, "These are the incoming messages, unchanged."),
    ]


def check_or_update(or_update: Callable) -> Verdict:
    """Check the max-product messages of a factor whose last variable is the OR of the others (C.3).

    A function that passes is written to mine.py.

    Args:
        or_update: or_update(incoming (n,)) -> (n,), the messages to the variables; the last one is the output.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    truths = [by_trying_all("OR", incoming, 0, 0.0, 0) for incoming in OR_PROBLEMS.values()]
    named = zip(OR_PROBLEMS.items(), truths, strict=True)
    cases = [Case(name, (incoming,), expected) for (name, incoming), expected in named]
    praise = "All messages agree with enumeration. The formula needs no enumeration."
    draw = functools.partial(Bars, axis="variable, the output is the last one")
    verdict = judge(or_update, cases, ["incoming"], draw, praise=praise)
    if not verdict and verdict.picture is not None:
        given = [call(or_update, incoming) for incoming in OR_PROBLEMS.values()]
        return verdict._replace(message=_or_explanation(given) or verdict.message)
    return kept(verdict, or_update, "or_update")


def _or_explanation(given: Sequence[np.ndarray | Verdict]) -> str | None:
    """Return the explanation of the mistake that gives these answers to all problems, because one alone has several."""
    for values in zip(*map(_or_mistakes, OR_PROBLEMS.values()), strict=True):
        pairs = zip(given, values, strict=True)
        if all(_equals(one, np.asarray(value.value)) for one, value in pairs):
            return values[0].message
    return None


def _equals(given: np.ndarray | Verdict, value: np.ndarray) -> bool:
    return not isinstance(given, Verdict) and given.shape == value.shape and bool(agrees(given, value, 1e-4).all())
