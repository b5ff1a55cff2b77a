"""The code of the equations in `equations.py`, in NumPy. A page shows a function without its docstring."""

from __future__ import annotations

import numpy as np


def message(i, j, unaries, weight, messages):
    """Return the message of max-product from variable i to variable j, as a log-ratio.

    Args:
        i, j: numbers of two variables.
        unaries: (n,), log-odds of state 1 of each variable.
        weight: (n, n), symmetric, with zeros on the diagonal.
        messages: (n, n); messages[k, i] goes from k to i and is 0 without an edge.
    """
    others = [k for k in range(len(unaries)) if k != j]
    arriving = sum(messages[k, i] for k in others)
    cavity = unaries[i] + arriving
    best_0 = max(0, cavity)  # x_j = 0
    best_1 = max(0, cavity + weight[i, j])  # x_j = 1
    return best_1 - best_0


def perturb_and_map(score, states, noise):
    """Return samples (S, n) of perturb-and-MAP by enumeration, and the estimate of the upper bound of log Z.

    Args:
        score: (C,), score of each configuration.
        states: (C, n), the configurations.
        noise: (S, n, C_i), noise of each sample on each state of each variable.
    """
    i = np.arange(states.shape[1])
    added = noise[:, i, states].sum(axis=-1)  # (S, C)
    perturbed = score + added
    x = states[perturbed.argmax(axis=1)]
    bound = perturbed.max(axis=1).mean()
    return x, bound


def pmp(bias, weight, noise, num_sweeps, damping=0.5):
    """Return the states (n,) of one sample, True for state 1 (Algorithm 1).

    Args:
        bias: (n,), log-odds of state 1 of each variable.
        weight: (n, n), symmetric, with zeros on the diagonal.
        noise: (n,), noise on state 1 minus noise on state 0.
        num_sweeps: number of sweeps.
        damping: share of the old message that is kept.
    """
    theta = bias + noise
    messages = np.zeros_like(weight)  # [i, j]: from i to j
    for _ in range(num_sweeps):
        beliefs = theta + messages.sum(axis=0)
        cavity = beliefs[:, None] - messages.T
        one = np.maximum(0, cavity + weight)
        zero = np.maximum(0, cavity)
        new = one - zero
        messages = damping * messages + (1 - damping) * new
    return theta + messages.sum(axis=0) >= 0


def moment_gradient(data, samples):
    """Return the gradient of the mean log-likelihood for W (n, n) and b (n,), each pair counted once.

    Args:
        data: (N, n), states of the data.
        samples: (S, n), states of samples of the model.
    """
    seen = data.T @ data / len(data)
    drawn = samples.T @ samples / len(samples)
    weight = seen - drawn
    np.fill_diagonal(weight, 0)
    bias = data.mean(axis=0) - samples.mean(axis=0)
    return weight, bias
