"""The question about learning: which theta does Adam find with PMP's samples?"""

from ..question import Question
from .compute import STEPS, SWEEPS

QUESTION = Question(
    "The data were made with theta = 0.5. Adam starts at theta = 0 and compares the data with samples that PMP draws. "
    "If spins agree too rarely in the samples, Adam raises theta. Where will theta be after 200 steps?",
    (
        "near 0.33, below the theta of the data",
        "near 0.50, at the theta of the data",
        "near 0.60, above the theta of the data",
    ),
    "With theta = 0.5 the spins of PMP's samples agree too often, so Adam stops earlier: where the spins agree as "
    "often in the samples as in the data. This is close to the minimum of the blue curve.",
    locked="step",
    before={"data theta": 0.5, "learned theta": 0.5, "start": "zero", "sweeps": SWEEPS[-1], "step": 0},
    shows={"step": STEPS},
)
