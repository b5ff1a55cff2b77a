"""The exercise on factors: compute the messages of an OR."""

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

OR_PROBLEMS = {
    "two inputs": np.array([0.5, -1.0, 2.0]),
    "two inputs below 0": np.array([-0.5, -1.5, 1.0]),
    "three inputs below 0": np.array([-1.5, -0.6, -2.0, 1.2]),
    "two equal inputs": np.array([0.75, 0.75, -0.5]),
    "an output far below 0": np.array([1.5, 0.5, -3.0]),
    "five inputs": np.array([1.5, -0.7, 2.2, -1.8, 0.9, 1.6]),
    "five inputs and an output below 0": np.array([1.5, -0.7, 0.8, -1.8, 0.9, -4.1]),
}
"""Log-odds that arrive from the inputs and, at the end, from the output."""


def _or_mistakes(incoming: Odds) -> list[Mistake]:
    """Return common wrong messages of an OR, each with its explanation."""
    inputs, output, expected = incoming[:-1], incoming[-1], reference.or_update(incoming)
    positive, negative = np.maximum(0, inputs), np.maximum(0, -inputs)
    others = np.array([np.delete(inputs, i).max() for i in range(len(inputs))])
    on, best = output + positive.sum() - positive, inputs.max()
    off, off_by_all = np.maximum(0, others) - others, np.maximum(0, best) - best

    def both(on, off=off):
        return np.append(np.minimum(on, off), expected[-1])

    return [
        Mistake(both(on + positive), "The message to an input includes the input itself. Leave its max(0, t) out."),
        Mistake(
            both(on + positive, off_by_all),
            "The message to an input includes the input itself. Leave it out of the sum and of the maximum.",
        ),
        Mistake(both(on, -others), "The second term is max(0, -K). With -K alone, a positive K makes it negative."),
        Mistake(both(np.full_like(on, output)), "The first term is r + P. Add the positive ones of the other inputs."),
        Mistake(both(on - output), "The messages to the inputs ignore the output. Add what arrives from it."),
        Mistake(
            both(on, off_by_all),
            "You use the largest of all inputs. The largest of the OTHER inputs competes with this one.",
        ),
        Mistake(
            np.append(on, expected[-1]),
            "If another input is 1 anyway, the output is 1 anyway. The minimum with max(0, -K) is missing, where K "
            "is the largest of what the other inputs send.",
        ),
        Mistake(
            both(on, negative.sum() - negative),
            "You use the sum of max(0, -t). Use max(0, -K), where K is the largest of what the other inputs send.",
        ),
        Mistake(
            np.append(expected[:-1], positive.sum()),
            "If the output is 1, at least one input is 1. Add min(0, largest input) to the message to the output.",
        ),
        Mistake(np.append(expected[:-1], best), "Every positive input adds to the score of output 1, not one alone."),
        Mistake(
            by_trying_all("OR", incoming, 0, 1.0, 0),
            "You took the log of a sum of exponentials. Take the largest sum.",
        ),
        *_output_mistakes(incoming),
        *_other_messages(incoming, expected),
    ]


def _other_messages(incoming: Odds, expected: Odds) -> list[Mistake]:
    """Return numbers that are not the messages of an OR, and say what they are."""
    return [
        Mistake(by_trying_all("AND", incoming, 0, 0.0, 0), "These are the messages of an AND."),
        Mistake(expected + incoming, "These are the beliefs. Leave out what arrives from the receiver of the message."),
        Mistake(-expected, "The sign is wrong. A message is the score of state 1 minus the score of state 0."),
        Mistake(incoming, "These are the incoming messages, unchanged."),
    ]


def _output_mistakes(incoming: Odds) -> list[Mistake]:
    """Return common wrong messages of an OR: the output comes first, or K is not the largest of the other inputs."""
    inputs, output, expected = incoming[:-1], incoming[-1], reference.or_update(incoming)
    others = [np.delete(inputs, i) for i in range(len(inputs))]
    rest = [np.append(other, output) for other in others]

    def messages(summed, compared):
        pairs = zip(summed, compared, strict=True)
        return np.array([*(min(output + np.maximum(0, a).sum(), max(0, -b.max())) for a, b in pairs), expected[-1]])

    counted = "The output is not one of the other inputs. Leave incoming[-1] out of their sum."
    compared = (
        "This equals min(r + P, 0). The second term is max(0, -K), and K is the largest of the other inputs alone."
    )
    least = [other.min(keepdims=True) for other in others]
    smallest = "You use the smallest of the other inputs. K is the largest of them, and max(0, -K) comes after it."
    return [
        Mistake(messages(others, least), smallest),
        Mistake(np.roll(expected, 1), "The message to the output is the first entry. It must be the last one."),
        Mistake(messages(rest, others), counted),
        Mistake(messages(others, rest), compared),  # equal to those of (rest, rest), and to those without second term
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
    praise = "All messages agree with enumeration."
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
