"""The state of a lesson: one thread takes steps, another one may restart it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from .lesson import STEPS, Lesson, Now


class Course:
    """A lesson from its first step to its last; it may be restarted while a step is being taken.

    Args:
        lesson: what is learned.
        seed: of the first run.
    """

    def __init__(self, lesson: Lesson, seed: int):
        self.lesson = lesson
        self._swap = threading.Lock()
        self.now = lesson.fresh(seed)
        self._returns = 0

    @property
    def over(self) -> bool:
        """Whether the last step has been taken."""
        return self.now.step >= STEPS

    def restart(self, seed: int) -> None:
        """Go back to before the first step."""
        self.return_to(self.lesson.fresh(seed))

    def return_to(self, now: Now) -> None:
        """Return to a state of training; a step that is being taken is dropped."""
        with self._swap:
            self.now = now
            self._returns += 1

    def take(self, taken: Iterable[tuple[str, str, int, int]]) -> None:
        """Take the steps of a `Now.taken` of another run."""
        for sampler, chains, sweeps, steps in taken:
            for _ in range(steps):
                self.advance({"sampler": sampler, "chains": chains, "sweeps": sweeps})

    def advance(self, params: dict[str, Any]) -> None:
        """Take one step with the sampler of the controls; drop it if the course was restarted meanwhile."""
        before, returns = self.now, self._returns
        after = self.lesson.advance(before, params)
        with self._swap:
            if self.now is before and self._returns == returns:
                self.now = after
