"""Where a lesson stands: taken further in one thread, started anew in another; and what there is to see of it."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from .compute import STEPS, Lesson


class CameraState(NamedTuple):
    """A model on its way, and samples of it."""

    step: int
    sampler: str
    chains: str
    samples: Int[np.ndarray, "chains height width"]
    """Fresh samples; the chains themselves where Gibbs chains persist."""
    pairs: Float[np.ndarray, " pairs"]
    """Share of the samples in which both pixels of a pair are on."""
    weight: Float[np.ndarray, "n n"]
    gaps: Float[np.ndarray, " step"]
    """Root mean square of the moment differences that each step followed."""
    seed: int


class Course:
    """A lesson from its first step to its last; it may be started anew while a step is being taken.

    Args:
        lesson: what is learned.
        seed: of the first run.
    """

    def __init__(self, lesson: Lesson, seed: int):
        self.lesson = lesson
        self._swap = threading.Lock()
        self.now = lesson.fresh(seed)

    @property
    def over(self) -> bool:
        """Whether the last step has been taken."""
        return self.now.step >= STEPS

    def restart(self, seed: int) -> None:
        """Go back to before the first step."""
        with self._swap:
            self.now = self.lesson.fresh(seed)

    def advance(self, params: dict[str, Any]) -> None:
        """Take one step with the sampler of the controls; it is dropped if the course was started anew meanwhile."""
        before = self.now
        after = self.lesson.advance(before, params)
        with self._swap:
            if self.now is before:
                self.now = after

    def look(self, params: dict[str, Any]) -> CameraState:
        """The model as it stands, and samples of it by the sampler of the controls."""
        now = self.now
        samples = self.lesson.samples(now, params)
        return CameraState(
            now.step, params["sampler"], params["chains"], samples, self.lesson.pairs(samples),
            np.asarray(now.training.model.weight), np.array(now.gaps), params["seed"],
        )  # fmt: skip
