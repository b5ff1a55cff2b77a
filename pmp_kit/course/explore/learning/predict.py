"""The question about another sampler: does a model that learned with PMP fit Gibbs sampling?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..question import Question

SETTING = {"sampler": "PMP", "chains": "reset", "sweeps": 5, "seed": 0}


def after(steps: int, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setting of the training camera, in which so many steps were taken with it."""
    return {**setting, "taken": ((setting["sampler"], setting["chains"], setting["sweeps"], steps),)}


QUESTION = Question(
    "A model has learned 200 steps with PMP and 5 sweeps, and the dots are near the diagonal. The weights stay as they "
    "are. Change sampler to Gibbs, which draws samples of the same weights. Where will the dots be?",
    ("further from the diagonal", "closer to the diagonal", "just as close to the diagonal"),
    "The weights were changed until the samples of PMP had the moments of the data. After 5 sweeps the messages of PMP "
    "have not settled, so its samples are not those of the model, and the moments of Gibbs sampling differ: the orange "
    "mark is above the blue line. After learning with 20 sweeps the two marks are nearly level. Page 06 has a model "
    "for which they differ with any number of sweeps.",
    locked="sampler",
    before=after(200, SETTING),
    shows={"sampler": "Gibbs"},
)
