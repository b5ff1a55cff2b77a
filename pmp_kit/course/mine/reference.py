"""Short versions in NumPy of the functions that readers write: the solutions of the exercises.

Unaries (S, n) are log-odds of state 1 with the noise added. The weight (n, n) is symmetric with a zero diagonal, and
weight_ij counts if x_i = x_j = 1. Messages (S, n, n) are log-ratios, and messages[s, i, j] goes from i to j.
"""

from __future__ import annotations

import numpy as np


def update(unaries, weight, messages):
    """Return the messages (S, n, n) of one undamped sweep of max-product.

    Args:
        unaries: (S, n).
        weight: (n, n).
        messages: (S, n, n), the old ones.
    """
    beliefs = unaries + messages.sum(axis=1)
    cavity = beliefs[:, :, None] - messages.swapaxes(1, 2)  # [s, i, j]: belief of i without the message from j
    return np.maximum(0, cavity + weight) - np.maximum(0, cavity)


def pmp(unaries, weight, num_sweeps, damping):
    """Return the decoded states (S, n), 0 or 1, after a number of sweeps that begin with messages of 0.

    Args:
        unaries: (S, n), the noise is in them.
        weight: (n, n).
        num_sweeps: number of sweeps.
        damping: share of the old messages that is kept.
    """
    messages = np.zeros((*unaries.shape, unaries.shape[1]))
    for _ in range(num_sweeps):
        messages = damping * messages + (1 - damping) * update(unaries, weight, messages)
    return (unaries + messages.sum(axis=1) >= 0).astype(int)


def learn(data, steps):
    """Return the weight (n, n) and the bias (n,) of a model whose samples by `pmp` have the moments of the data.

    Args:
        data: (N, n), states 0 or 1.
        steps: number of steps of gradient ascent.
    """
    draw, n = np.random.default_rng(0), data.shape[1]
    weight, bias = np.zeros((n, n)), np.zeros(n)
    for _ in range(steps):
        noise = draw.logistic(size=(100, n))
        samples = pmp(bias + noise, weight, 20, 0.5)
        weight = weight + 0.2 * (data.T @ data / len(data) - samples.T @ samples / len(samples))
        np.fill_diagonal(weight, 0)
        bias = bias + 0.2 * (data.mean(axis=0) - samples.mean(axis=0))
    return weight, bias


def or_update(incoming):
    """Return the log-odds (n,) that a factor x_last = OR(the others) sends to each of its variables.

    Args:
        incoming: (n,), log-odds that arrive from each variable; the last one is the output of the OR.
    """
    inputs, output = incoming[:-1], incoming[-1]
    gains = np.maximum(0, inputs)
    others = gains.sum() - gains  # for each input, the sum over the other inputs
    second, largest = np.partition(np.append(inputs, -np.inf), -2)[-2:]
    best = np.full(len(inputs), largest)  # for each input, the largest of the other inputs
    best[inputs.argmax()] = second
    to_inputs = np.minimum(output + others, np.maximum(0, -best))
    to_output = gains.sum() + min(0, largest)
    return np.append(to_inputs, to_output)


FUNCTIONS = {function.__name__: function for function in (update, pmp, learn, or_update)}
"""Name -> function."""
