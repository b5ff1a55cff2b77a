"""What damping does to the messages of three graphs, over many draws of noise: the numbers of a figure of page 02."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool

from ...mine.reference import update
from ..shared.limits import EXACT_GAP, SETTLED, UNDECIDED
from .compute import SWEEPS
from .topologies import TOPOLOGIES

DAMPINGS = np.linspace(0.0, 0.8, 9)


class Runs(NamedTuple):
    """What the messages did, for each damping and each draw of noise."""

    settled: Bool[np.ndarray, "dampings draws"]
    """Whether the residual is below SETTLED after SWEEPS sweeps."""
    best: Bool[np.ndarray, "dampings draws"]
    """Whether they settled, no belief is 0, and the decoded states have the highest score."""


def runs(
    topology: str, coupling: float, draws: int, seed: int = 0, dampings: Sequence[float] | np.ndarray = DAMPINGS
) -> Runs:
    """Run max-product once for each damping and each draw of noise.

    Args:
        topology: one of TOPOLOGIES.
        coupling: J of every edge.
        draws: number of draws of logistic noise (the difference of two Gumbels) on the unaries.
        seed: of the noise.
        dampings: shares of the old message.
    """
    used = len(TOPOLOGIES[topology].places)
    weight = 4.0 * coupling * TOPOLOGIES[topology].adjacency[:used, :used]  # of states 0 and 1
    unaries = np.random.default_rng(seed).logistic(size=(draws, used)) - weight.sum(0) / 2
    states = np.arange(2**used)[:, None] >> np.arange(used) & 1
    scores = unaries @ states.T + 0.5 * ((states @ weight) * states).sum(1)
    settled, best = [], []
    for damping in dampings:
        messages = np.zeros((draws, used, used))
        for _ in range(SWEEPS):
            messages = damping * messages + (1 - damping) * update(unaries, weight, messages)
        beliefs = unaries + messages.sum(1)
        found = scores[np.arange(draws), (beliefs > 0) @ (1 << np.arange(used))]
        settled.append(np.abs(update(unaries, weight, messages) - messages).max((1, 2)) < SETTLED)
        best.append(settled[-1] & (np.abs(beliefs).min(1) > UNDECIDED) & (found > scores.max(1) - EXACT_GAP))
    return Runs(np.array(settled), np.array(best))


def share_left(damping: float) -> float:
    """Return the share of the residual that one sweep leaves, on a frustrated triangle with small unaries.

    It is the geometric mean over some of the later sweeps.
    """
    first, last = 12, 36
    weight = -4.0 * TOPOLOGIES["triangle"].adjacency[:3, :3]
    unaries = np.array([[0.1, 0.2, -0.16]]) - weight.sum(0) / 2
    messages, residuals = np.zeros((1, 3, 3)), []
    for _ in range(last + 1):
        new = update(unaries, weight, messages)
        residuals.append(np.abs(new - messages).max())
        messages = damping * messages + (1 - damping) * new
    return float((residuals[last] / residuals[first]) ** (1 / (last - first)))
