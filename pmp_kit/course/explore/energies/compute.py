"""Enumeration of models of up to four variables: energies, probabilities, modes and log Z (Section 2.1)."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

KINDS = {"{0, 1}": (0, 1), "{−1, +1}": (-1, 1)}
MOST = 2.0  # nats: the largest strength
EXACT = 9  # decimal places: scores that differ less are equal, and so are means


class State(NamedTuple):
    """All m = 2^n configurations of n variables; the last variable changes fastest."""

    kind: str
    temperature: float
    strengths: Float[np.ndarray, " factors"]
    """Of the factors, in the order of `factor_names`."""
    chosen: int
    """Index of the factor whose strength the slider moves."""
    scores: Float[np.ndarray, " m"]
    """score(x) = -E(x), in nats."""
    probabilities: Float[np.ndarray, " m"]
    log_partition: float
    """log Z at this temperature, in nats."""
    modes: Bool[np.ndarray, " m"]
    """Whether every change of a single variable makes the configuration less likely."""
    up: Float[np.ndarray, " n"]
    """Probability that each variable is in its upper state, 1 or +1."""
    means: Float[np.ndarray, " factors"]
    """Means of x_i, then of x_i x_j: the temperature times the slope of log Z along each strength."""


def factor_names(spins: int) -> tuple[str, ...]:
    """Return b1, b2, ... for single variables, then J12, J13, ... for pairs."""
    pairs = itertools.combinations(range(1, spins + 1), 2)
    return (*(f"b{i}" for i in range(1, spins + 1)), *(f"J{i}{j}" for i, j in pairs))


def all_states(spins: int, kind: str) -> Int[np.ndarray, "m n"]:
    """Return all configurations, in the values that `kind` names."""
    return np.array(list(itertools.product(KINDS[kind], repeat=spins)))


def state(spins: int, kind: str, temperature: float, strengths: np.ndarray, chosen: int = 0) -> State:
    """Enumerate p(x) ~ exp(score(x) / temperature), score(x) = sum_i b_i x_i + sum_{i<j} J_ij x_i x_j."""
    x = all_states(spins, kind)
    first, second = np.triu_indices(spins, 1)
    terms = np.concatenate([x, x[:, first] * x[:, second]], 1)
    scores = (terms @ strengths).round(EXACT)
    top = scores.max()
    weights = np.exp((scores - top) / temperature)
    log_partition = float(top / temperature + np.log(weights.sum()))
    p = weights / weights.sum()
    flips = np.arange(2**spins)[:, None] ^ (1 << np.arange(spins))  # the states that differ in one variable
    modes = scores > scores[flips].max(1)
    up, means = p @ (x == 1), (p @ terms).round(EXACT)
    return State(kind, temperature, strengths, chosen, scores, p, log_partition, modes, up, means)
