"""A model in training and its samples, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from .lesson import Lesson, Now


class State(NamedTuple):
    """The model after some steps, and samples of it."""

    step: int
    sampler: str
    chains: str
    samples: Int[np.ndarray, "chains height width"]
    """New samples, or the states of persistent Gibbs chains."""
    pairs: Float[np.ndarray, " pairs"]
    """Share of the samples in which both pixels of a pair are on."""
    gap: float
    """Root mean square of the moment differences between the data and `samples`."""
    weight: Float[np.ndarray, "n n"]
    bias: Float[np.ndarray, " n"]
    gaps: Float[np.ndarray, " step"]
    """Root mean square of the moment differences in each step, between the data and the samples of that step."""
    taken: tuple[tuple[str, str, int, int], ...]
    """Sampler, chains, sweeps, and the number of steps that were taken with them, in order."""
    seed: int
    kept: bool
    """Whether `samples` are the states of persistent chains, which the next step continues."""


def state(lesson: Lesson, now: Now, params: dict[str, Any]) -> State:
    """Draw samples of the model by the sampler of the controls.

    Args:
        lesson: what is learned.
        now: the state of training.
        params: sampler, chains, sweeps and seed.
    """
    samples, model = lesson.samples(now, params), now.training.model
    pairs = lesson.pairs(samples)
    return State(
        now.step, params["sampler"], params["chains"], samples, pairs, lesson.gap(samples, pairs),
        np.asarray(model.weight), np.asarray(model.bias), np.array(now.gaps), now.taken, params["seed"],
        lesson.continues(now, params),
    )  # fmt: skip
