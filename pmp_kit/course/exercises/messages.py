"""Exercise of notebook 02: write one sweep of max-product messages of an Ising model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .verdict import Mistake, Verdict, call, compare

SPINS = 5


def _problem() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A dense {0,1} Ising model and its current messages: weight (n, n), bias (n,), messages (n, n)."""
    draw = np.random.default_rng(7)
    weight = np.triu(draw.normal(0.0, 1.5, (SPINS, SPINS)), 1)
    messages = draw.normal(0.0, 1.0, (SPINS, SPINS))
    np.fill_diagonal(messages, 0.0)
    return weight + weight.T, draw.normal(0.0, 1.0, SPINS), messages


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
    cavity = _cavity(bias, messages)
    belief = np.repeat((bias + messages.sum(0))[:, None], SPINS, axis=1)
    outgoing = np.repeat((bias + messages.sum(1))[:, None], SPINS, axis=1) - messages
    full = _message(cavity, weight)
    unnormalised = np.maximum(0.0, cavity + weight)
    soft = np.logaddexp(0.0, cavity + weight) - np.logaddexp(0.0, cavity)
    no_bias = _message(_cavity(np.zeros(SPINS), messages), weight)
    zero = 1.0 - np.eye(SPINS)
    return [
        Mistake(full.T, "you passed the message of the wrong direction: messages[i, j] goes from i to j."),
        Mistake(
            _message(belief, weight), "i sends j's own message back to j: take messages[j, i] out of the sum first."
        ),
        Mistake(
            _message(outgoing, weight),
            "the sum runs over what i sends; it must run over what i receives, messages[k, i].",
        ),
        Mistake(zero * unnormalised, "right up to the normalisation: subtract max(0, P), the score of x_j = 0."),
        Mistake(unnormalised, "right up to the normalisation: subtract max(0, P), the score of x_j = 0."),
        Mistake(zero * soft, "this is sum-product: the maximum was replaced by log(1 + exp(.))."),
        Mistake(no_bias, "the bias b_i of the sender is missing."),
        Mistake(_message(cavity, -weight), "the coupling has the wrong sign: the score has + w x_i x_j."),
        Mistake(0.5 * (messages + full), "right, but already damped: return the new messages, the solver damps them."),
        Mistake(zero * (cavity + weight), "the maximum over x_i is missing: P + w is its value at x_i = 1 only."),
        Mistake(messages, "these are the old messages: nothing was updated."),
    ]


def check_ising_update(update: Callable) -> Verdict:
    """Check one undamped sweep of max-product messages of a {0,1} Ising model (C.1).

    Args:
        update: update(weight (n, n), bias (n,), messages (n, n)) -> new messages (n, n), where messages[i, j] is the
            log-ratio sent from i to j: max(0, P + w_ij) - max(0, P) with P = b_i + sum_{k != j} messages[k, i].

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    weight, bias, messages = _problem()
    given = call(update, weight.copy(), bias.copy(), messages.copy())
    expected = _message(_cavity(bias, messages), weight)
    return compare(
        given,
        expected,
        _mistakes(weight, bias, messages),
        praise="all messages agree with the formula, and none returns to its sender.",
    )
