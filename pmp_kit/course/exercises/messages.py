"""Exercises on messages: write one sweep of max-product for all pairs of variables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..mine import reference
from .cases import Case, judge
from .grids import Cells
from .picture import Picture
from .spins import PLACES, Arrows
from .verdict import Mistake, Verdict, kept

SPINS = 5
PRAISE = "All messages agree with the formula. No message includes the one that came back from its receiver."


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Unaries (S, n), weight (n, n) and current messages (S, n, n), from the smallest problem to the largest."""
    draw = np.random.default_rng(7)
    weight = np.triu(draw.normal(0.0, 1.5, (SPINS, SPINS)), 1)
    messages = draw.normal(0.0, 1.0, (2, SPINS, SPINS)) * (1.0 - np.eye(SPINS))
    two = np.array([[-0.5, -0.25]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    three = np.array([[0.5, -0.5, 0.25]]), np.array([[0.0, 1.0, -1.0], [1.0, 0.0, 2.0], [-1.0, 2.0, 0.0]])
    old = np.array([[[0.0, 0.25, -0.5], [0.5, 0.0, 0.75], [-0.25, 1.0, 0.0]]])
    return {
        "two spins without messages": (*two, np.zeros((1, 2, 2))),
        "two spins": (*two, np.array([[[0.0, 0.5], [0.25, 0.0]]])),
        "three spins": (*three, old),
        "two samples of five spins": (draw.normal(0.0, 1.0, (2, SPINS)), weight + weight.T, messages),
    }


def message(cavity: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """max(0, P + w) - max(0, P). The diagonal is 0."""
    return (np.maximum(0.0, cavity + weight) - np.maximum(0.0, cavity)) * (1.0 - np.eye(len(weight)))


def soft_message(cavity: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The same of sum-product: log(1 + exp(.)) instead of max(0, .)."""
    return (np.logaddexp(0.0, cavity + weight) - np.logaddexp(0.0, cavity)) * (1.0 - np.eye(len(weight)))


def one_by_one(
    unaries: np.ndarray, weight: np.ndarray, messages: np.ndarray, update: Callable = reference.update
) -> np.ndarray:
    """Return the messages if each variable in turn sends from the messages that the ones before it have replaced."""
    now = messages.copy()
    for i in range(len(weight)):
        now[:, i] = update(unaries, weight, now)[:, i]
    return now


def _mistakes(unaries: np.ndarray, weight: np.ndarray, messages: np.ndarray) -> list[Mistake]:
    """Common wrong updates, each with its explanation."""
    back, zero = messages.swapaxes(1, 2), 1.0 - np.eye(len(weight))
    belief = (unaries + messages.sum(1))[..., None] + 0.0 * messages
    outgoing = (unaries + messages.sum(2))[..., None]
    cavity, of_receiver = belief - back, belief.swapaxes(1, 2) - back
    full = message(cavity, weight)
    unnormalised = np.maximum(0.0, cavity + weight)
    incoming = "The sum runs over the outgoing messages of i. Sum the incoming ones, messages[s, k, i]."
    subtract = "Subtract max(0, cavity), the best score for x_j = 0."
    normalise = f"The result is right up to the normalisation. {subtract}"
    return [
        Mistake(full.swapaxes(1, 2), "Each message has the wrong direction. messages[s, i, j] goes from i to j."),
        Mistake(
            message(belief, weight),
            "The message from i to j includes the message from j. Subtract messages[s, j, i] first.",
        ),
        Mistake(
            message(belief - messages, weight),
            "You subtract the message from i to j. The cavity leaves out the one from j to i, messages[s, j, i].",
        ),
        Mistake(message(outgoing - back, weight), incoming),
        Mistake(message(outgoing - messages, weight), incoming),
        Mistake(message(of_receiver, weight), "The belief is that of the sender i, the axis before the last one."),
        Mistake(zero * unnormalised, normalise),
        Mistake(unnormalised, normalise),
        *(Mistake(of * (unnormalised - cavity), f"You subtract the cavity itself. {subtract}") for of in (1.0, zero)),
        Mistake(soft_message(cavity, weight), "You used log(1 + exp(.)). Use the maximum, max(0, .)."),
        Mistake(message(cavity - unaries[..., None], weight), "The unary of the sender is missing."),
        Mistake(message(cavity, -weight), "The coupling has the wrong sign. The score has + w x_i x_j."),
        Mistake(
            one_by_one(unaries, weight, messages),
            "The messages are replaced one after the other. Compute all new messages from the old ones.",
        ),
        Mistake(
            0.5 * (messages + full),
            "The messages are already damped. Return the new messages, because the solver damps them.",
        ),
        Mistake(zero * (cavity + weight), "The maximum over x_i is missing. This is the score of x_i = 1 only."),
        Mistake(messages, "These are the old messages without an update."),
    ]


def _draw(given: np.ndarray, expected: np.ndarray, wrong: np.ndarray, title: str) -> Picture:
    """Draw the first sample that is wrong: arrows between few spins, a matrix for many."""
    sample = int(wrong.any((1, 2)).argmax())
    kind = Arrows if given.shape[1] in PLACES else Cells
    return kind(given[sample], expected[sample], wrong[sample], title)


def check_update(update: Callable) -> Verdict:
    """Check one undamped sweep of max-product messages of a {0,1} Ising model (C.1), for many samples at once.

    A function that passes is written to mine.py.

    Args:
        update: update(unaries (S, n), weight (n, n), messages (S, n, n)) -> new messages (S, n, n). messages[s, i, j]
            is the log-ratio from i to j: max(0, P + w_ij) - max(0, P) with P = unaries_i + sum_{k != j} messages[k, i].

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = [
        Case(name, problem, reference.update(*problem), _mistakes(*problem)) for name, problem in _problems().items()
    ]
    sample = Mistake(
        np.repeat(cases[0].expected, 2, axis=0),
        "The first axis of messages is the sample. Sum over axis 1, and exchange the last two axes: "
        "messages.swapaxes(1, 2). messages.T reverses all three.",
    )
    cases[0] = cases[0]._replace(mistakes=[*cases[0].mistakes, sample])
    verdict = judge(update, cases, ("unaries", "weight", "messages"), _draw, praise=PRAISE)
    return kept(verdict, update, "update")
