"""Scores and messages of a few small tables by enumeration, in NumPy with 64 bits. No method of a factor is used.

A table is a pair (ids, scores) with one axis of scores for each id, and -inf for forbidden entries. Scores of states
are arrays (states, batch) for each variable. A state with the score -inf is excluded.
"""

from collections.abc import Callable

import numpy as np

Table = tuple[tuple[int, ...], np.ndarray]
Reduce = Callable[[np.ndarray, tuple[int, ...]], np.ndarray]
Scores = list[np.ndarray]


def joint_states(sizes: np.ndarray) -> np.ndarray:
    """Return all joint states of variables with these numbers of states, (M, n); the last one changes fastest."""
    return np.indices(tuple(sizes)).reshape(len(sizes), -1).T


def joint_scores(states: np.ndarray, tables: list[Table]) -> np.ndarray:
    """Return the sum of the tables at joint states (M, n), (M,)."""
    return sum((scores[tuple(states[:, i] for i in ids)] for ids, scores in tables), start=np.zeros(len(states)))


def centred(scores: np.ndarray) -> np.ndarray:
    """Return scores of states (axis 0) minus the best one; NaN if all states are excluded."""
    with np.errstate(invalid="ignore"):
        return scores - scores.max(0)


def log_sum_at(temperature: float) -> Reduce:
    """Return the function T log sum exp(scores / T) over some axes."""

    def reduce(scores: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
        top = scores.max(axes, keepdims=True)
        top = np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            return temperature * np.log(np.exp((scores - top) / temperature).sum(axes)) + top.squeeze(axes)

    return reduce


def message(table: np.ndarray, incoming: Scores, to: int, reduce: Reduce) -> np.ndarray:
    """Return the message (states, batch) to place `to`: table plus the other places' scores, reduced over these."""
    total = table[..., None]
    others = tuple(place for place in range(table.ndim) if place != to)
    for place in others:
        shape = [-1 if axis == place else 1 for axis in range(table.ndim)]
        total = total + incoming[place].reshape(*shape, incoming[place].shape[-1])
    message = reduce(total, others) if others else total
    return centred(np.broadcast_to(message, incoming[to].shape))


def flooding(unaries: Scores, tables: list[Table], sweeps: int, reduce: Reduce) -> list[Scores]:
    """Return the beliefs after each of some undamped flooding sweeps from zero messages, centred.

    Infinite scores are never subtracted: each cavity is a sum without the messages of the own table.
    """
    sent = [[np.zeros_like(unaries[i]) for i in ids] for ids, _ in tables]
    history = []
    for _ in range(sweeps):
        new = []
        for number, (ids, scores) in enumerate(tables):
            cavity = _beliefs(unaries, tables, sent, without=number)
            incoming = [cavity[i] for i in ids]
            new.append([message(scores, incoming, place, reduce) for place in range(len(ids))])
        sent = new
        history.append([centred(scores) for scores in _beliefs(unaries, tables, sent)])
    return history


def _beliefs(unaries: Scores, tables: list[Table], sent: list[Scores], without: int | None = None) -> Scores:
    """Return the unaries plus the messages of all tables but one."""
    total = [scores.copy() for scores in unaries]
    for number, (ids, _) in enumerate(tables):
        if number != without:
            for i, scores in zip(ids, sent[number], strict=True):
                total[i] = total[i] + scores
    return total


def mean_messages(unaries: Scores, tables: list[Table]) -> Scores:
    """Return the sum at each variable of the mean of each table over the other variables' states, centred."""
    total = [np.zeros_like(scores) for scores in unaries]
    for ids, scores in tables:
        for place, i in enumerate(ids):
            mean = scores.mean(tuple(axis for axis in range(scores.ndim) if axis != place))
            total[i] = total[i] + mean[:, None]
    return [centred(scores) for scores in total]


def possible(states: np.ndarray, scores: np.ndarray, unaries: Scores) -> np.ndarray:
    """Return for which batch elements some joint state has a finite score, (batch,) bool."""
    allowed = scores[:, None] > -np.inf
    for i, own in enumerate(unaries):
        allowed = allowed & (own > -np.inf)[states[:, i]]
    return np.asarray(allowed.any(0))
