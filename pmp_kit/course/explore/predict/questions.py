"""The registry of questions: one for each chapter that asks the reader for a prediction."""

from __future__ import annotations

import random

from ..deconvolution import predict as deconvolution
from ..digits import predict as digits
from ..energies import predict as energies
from ..factors import predict as factors
from ..graphs import predict as graphs
from ..learning import predict as learning
from ..messages import predict as messages
from ..noise import predict as noise
from ..own import predict as own
from ..programs import predict as programs
from ..question import Question
from ..rbm import predict as rbm
from ..sampler import predict as sampler
from ..speed import predict as speed
from ..wrong_model import predict as wrong_model

QUESTIONS = {
    "deconvolution": deconvolution.QUESTION,
    "digits": digits.QUESTION,
    "energies": energies.QUESTION,
    "factors": factors.QUESTION,
    "graphs": graphs.QUESTION,
    "learning": learning.QUESTION,
    "messages": messages.QUESTION,
    "noise": noise.QUESTION,
    "own": own.QUESTION,
    "programs": programs.QUESTION,
    "rbm": rbm.QUESTION,
    "sampler": sampler.QUESTION,
    "speed": speed.QUESTION,
    "wrong_model": wrong_model.QUESTION,
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
