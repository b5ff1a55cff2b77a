"""Brute force in NumPy alone: what the library is compared with. Nothing here is fast, and nothing is shared with it.

A model is a list of unary score vectors, one for each variable, and a list of factors (ids, table of scores).
"""

import itertools

import numpy as np


def joint_scores(unaries, factors) -> np.ndarray:
    """score(x) of all joint states, the last variable counting fastest."""
    sizes = [len(u) for u in unaries]
    states = list(itertools.product(*map(range, sizes)))
    scores = [sum(u[c] for u, c in zip(unaries, x, strict=True)) for x in states]
    for ids, table in factors:
        scores = [s + table[tuple(x[i] for i in ids)] for s, x in zip(scores, states, strict=True)]
    return np.array(scores)


def joint_states(sizes) -> np.ndarray:
    return np.array(list(itertools.product(*map(range, sizes))))


def log_partition(scores) -> float:
    top = scores.max()
    return top + np.log(np.exp(scores - top).sum())


def message(table, incoming, to) -> np.ndarray:
    """max over the other variables of table + incoming scores, for each state of variable number `to`."""
    total = table.copy()
    for axis, scores in enumerate(incoming):
        if axis != to:
            total = total + scores.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
    return total.max(axis=tuple(a for a in range(table.ndim) if a != to))


def max_product(unaries, factors, sweeps, damping, neutral=True):
    """Flooding max-product (Algorithm 1): the beliefs of each variable, before the first and after each sweep."""
    messages = {}
    for a, (ids, table) in enumerate(factors):
        for axis, i in enumerate(ids):
            others = tuple(b for b in range(table.ndim) if b != axis)
            messages[a, i] = table.mean(axis=others) if neutral else np.zeros(len(unaries[i]))
    history = [beliefs(unaries, factors, messages)]
    for _ in range(sweeps):
        now = history[-1]
        new = {}
        for a, (ids, table) in enumerate(factors):
            incoming = [now[i] - messages[a, i] for i in ids]
            for axis, i in enumerate(ids):
                wanted = message(table, incoming, axis)
                new[a, i] = damping * centred(messages[a, i]) + (1 - damping) * centred(wanted)
        messages = new
        history.append(beliefs(unaries, factors, messages))
    return history


def beliefs(unaries, factors, messages):
    total = [np.array(u, float) for u in unaries]
    for a, (ids, _) in enumerate(factors):
        for i in ids:
            total[i] = total[i] + messages[a, i]
    return total


def centred(scores):
    return scores - scores.mean()


def log_odds(scores):
    return scores[1] - scores[0]
