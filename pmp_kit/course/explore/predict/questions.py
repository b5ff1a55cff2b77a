"""The registry of questions: one for each chapter that asks the reader for a prediction."""

from __future__ import annotations

import importlib
import random

from ..question import Question

CHAPTERS = (
    "deconvolution digits energies factors graphs judging learning messages noise own programs race rbm sampler speed "
    "wrong_model zeros"
)
QUESTIONS: dict[str, Question] = {
    chapter: importlib.import_module(f"..{chapter}.predict", __package__).QUESTION for chapter in CHAPTERS.split()
}
"""Chapter -> its question."""


def find(chapter: str) -> Question:
    """Return the question of a chapter.

    Raises:
        ValueError: there is no question of that name.
    """
    if chapter not in QUESTIONS:
        raise ValueError(f"chapter: expected one of {sorted(QUESTIONS)}, got {chapter!r}; take the name of its folder")
    return QUESTIONS[chapter]


def shuffled(chapter: str) -> tuple[str, ...]:
    """Return the options of a chapter's question in the order of the page, which is the same every time."""
    options = list(find(chapter).options)
    random.Random(f"{chapter}/predict.py").shuffle(options)  # every place holds about a third of the right answers
    return tuple(options)
