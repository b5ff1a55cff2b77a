"""The question about learning: which theta does Adam find with PMP's samples?"""

from ..question import Question
from .compute import STEPS, SWEEPS

QUESTION = Question(
    "The data were made with theta = 0.5. Adam starts at theta = 0 and compares the data with samples that PMP draws. "
    "If spins agree too rarely in the samples, Adam raises theta. Where will theta be after 200 steps?",
    (
        "near 0.33, the minimum of the blue curve",
        "near 0.50, the minimum of the orange one",
        "near 0.41, between the two minima",
    ),
    "Adam stops where PMP's samples agree as often as the data. The Gibbs distribution of the same theta, which is the "
    "orange curve, does not enter this comparison.",
    locked="step",
    before={"data theta": 0.5, "learned theta": 0.5, "start": "zero", "sweeps": SWEEPS[-1], "step": 0},
    shows={"step": STEPS},
)
