"""Exercise of notebook 02: write one sweep of max-product messages of an Ising model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cases import Case, judge
from .grids import Cells
from .verdict import Mistake, Verdict

SPINS = 5


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Dense {0,1} Ising models and their current messages: weight (n, n), bias (n,), messages (n, n)."""
    draw = np.random.default_rng(7)
    weight = np.triu(draw.normal(0.0, 1.5, (SPINS, SPINS)), 1)
    messages = draw.normal(0.0, 1.0, (SPINS, SPINS))
    np.fill_diagonal(messages, 0.0)
    two = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-0.5, -0.25])
    three = np.array([[0.0, 1.0, -1.0], [1.0, 0.0, 2.0], [-1.0, 2.0, 0.0]]), np.array([0.5, -0.5, 0.25])
    old = np.array([[0.0, 0.25, -0.5], [0.5, 0.0, 0.75], [-0.25, 1.0, 0.0]])
    return {
        "two spins without messages": (*two, np.zeros((2, 2))),
        "two spins": (*two, np.array([[0.0, 0.5], [0.25, 0.0]])),
        "three spins": (*three, old),
        "five spins": (weight + weight.T, draw.normal(0.0, 1.0, SPINS), messages),
    }


def _cavity(bias: np.ndarray, messages: np.ndarray) -> np.ndarray:
    """P[i, j] = b_i + sum over k != j of messages[k, i]."""
    return (bias + messages.sum(0))[:, None] - messages.T


def _message(cavity: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """max(0, P + w) - max(0, P). The diagonal is 0."""
    sent = np.maximum(0.0, cavity + weight) - np.maximum(0.0, cavity)
    np.fill_diagonal(sent, 0.0)
    return sent


def _mistakes(weight: np.ndarray, bias: np.ndarray, messages: np.ndarray) -> list[Mistake]:
    """Common wrong updates, each with its explanation."""
    spins = len(bias)
    cavity = _cavity(bias, messages)
    belief = np.repeat((bias + messages.sum(0))[:, None], spins, axis=1)
    outgoing = np.repeat((bias + messages.sum(1))[:, None], spins, axis=1) - messages
    full = _message(cavity, weight)
    unnormalised = np.maximum(0.0, cavity + weight)
    soft = np.logaddexp(0.0, cavity + weight) - np.logaddexp(0.0, cavity)
    no_bias = _message(_cavity(np.zeros(spins), messages), weight)
    zero = 1.0 - np.eye(spins)
    normalise = "The result is right up to the normalisation. Subtract max(0, P), the score of x_j = 0."
    return [
        Mistake(full.T, "Each message has the wrong direction. messages[i, j] goes from i to j."),
        Mistake(
            _message(belief, weight),
            "The message from i to j includes the message from j. Subtract messages[j, i] first.",
        ),
        Mistake(
            _message(outgoing, weight),
            "The sum runs over the outgoing messages of i. Sum the incoming ones, messages[k, i].",
        ),
        Mistake(zero * unnormalised, normalise),
        Mistake(unnormalised, normalise),
        Mistake(zero * soft, "This is sum-product. Use the maximum instead of log(1 + exp(.))."),
        Mistake(no_bias, "The bias b_i of the sender is missing."),
        Mistake(_message(cavity, -weight), "The coupling has the wrong sign. The score has + w x_i x_j."),
        Mistake(
            0.5 * (messages + full),
            "The messages are already damped. Return the new messages, because the solver damps them.",
        ),
        Mistake(zero * (cavity + weight), "The maximum over x_i is missing. P + w is the score of x_i = 1 only."),
        Mistake(messages, "These are the old messages without an update."),
    ]


def check_ising_update(update: Callable) -> Verdict:
    """Check one undamped sweep of max-product messages of a {0,1} Ising model (C.1).

    Args:
        update: update(weight (n, n), bias (n,), messages (n, n)) -> new messages (n, n), where messages[i, j] is the
            log-ratio sent from i to j: max(0, P + w_ij) - max(0, P) with P = b_i + sum_{k != j} messages[k, i].

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = [
        Case(name, problem, _message(_cavity(*problem[1:]), problem[0]), _mistakes(*problem))
        for name, problem in _problems().items()
    ]
    praise = "All messages agree with the formula. No message includes the one that came back from its receiver."
    return judge(update, cases, ("weight", "bias", "messages"), Cells, praise=praise)
