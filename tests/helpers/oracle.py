"""Reference results by brute force in NumPy. This file shares no code with the library.

A model is a list of unary score vectors, one for each variable, and a list of factors (ids, table of scores). States
that evidence or a hard constraint excludes have the score -inf. Infinite scores are never subtracted.
"""

import numpy as np


def joint_scores(unaries, factors) -> np.ndarray:
    """The scores of all joint states. The last variable changes fastest."""
    states = joint_states([len(u) for u in unaries])
    scores = np.zeros(len(states))
    for i, own in enumerate(unaries):
        scores = scores + np.asarray(own, float)[states[:, i]]
    for ids, table in factors:
        scores = scores + np.asarray(table, float)[tuple(states[:, i] for i in ids)]
    return scores


def joint_states(sizes) -> np.ndarray:
    return np.indices(tuple(sizes)).reshape(len(sizes), -1).T


def log_partition(scores) -> float:
    top = scores.max()
    return top + np.log(np.exp(scores - top).sum())


def message(table, incoming, to, reduce=np.max) -> np.ndarray:
    """max over the other variables of table + incoming scores, for each state of variable number `to`."""
    total = table.copy()
    for axis, scores in enumerate(incoming):
        if axis != to:
            total = total + scores.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
    return reduce(total, axis=tuple(a for a in range(table.ndim) if a != to))


def max_product(unaries, factors, sweeps, damping, neutral=True):
    """Flooding max-product (Algorithm 1). Returns the beliefs of each variable before the first and after each sweep.

    The neutral start of a table that excludes states is zero.
    """
    messages = {}
    for a, (ids, table) in enumerate(factors):
        for axis, i in enumerate(ids):
            others = tuple(b for b in range(table.ndim) if b != axis)
            soft = neutral and np.isfinite(table).all()
            messages[a, i] = table.mean(axis=others) if soft else np.zeros(len(unaries[i]))
    history = [beliefs(unaries, factors, messages)]
    for _ in range(sweeps):
        new = {}
        for a, (ids, table) in enumerate(factors):
            incoming = beliefs(unaries, factors, messages, without=a)
            for axis, i in enumerate(ids):
                wanted = message(table, [incoming[j] for j in ids], axis)
                new[a, i] = damped(centred(messages[a, i]), centred(wanted), damping)
        messages = new
        history.append(beliefs(unaries, factors, messages))
    return history


def damped(old, new, damping):
    """damping * old + (1 - damping) * new, where 0 times -inf is 0."""
    return damping * old + (1 - damping) * new if damping else new


def beliefs(unaries, factors, messages, without=None):
    """Unaries plus the messages of all factors, or of all factors except `without`."""
    total = [np.array(u, float) for u in unaries]
    for a, (ids, _) in enumerate(factors):
        for i in ids:
            if a != without:
                total[i] = total[i] + messages[a, i]
    return total


def centred(scores):
    """Scores shifted by a constant so that the best state has score 0."""
    return scores - scores.max()
