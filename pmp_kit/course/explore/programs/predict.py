"""The question about the linear program: which values can its solution have?"""

from ..question import Question
from .compute import MOST_SWEEPS, VERSIONS

QUESTION = Question(
    "At coupling range 2.0 the linear program (LP) answers one half for every spin. At 0 the spins are independent, "
    "and every spin is decided. Set coupling range to 0.3. Which values will the spins of the LP have?",
    (
        "only 0, 1/2 and 1: some are decided",
        "all values from 0 to 1, in many greys",
        "only 1/2, as at coupling range 2.0",
    ),
    "The corners of the feasible set of this LP have only the coordinates 0, 1/2 and 1, and an optimum lies at a "
    "corner. So a spin is one half or it is decided, and nothing is in between.",
    locked="coupling range",
    before={"size": 10, "coupling range": 2.0, "seed": 0, "version": next(iter(VERSIONS)), "sweeps": MOST_SWEEPS},
    shows={"coupling range": 0.3},
)
