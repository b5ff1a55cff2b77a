"""The question about damping: does it make an oscillation smaller, or end it?"""

from ..question import Question

QUESTION = Question(
    "Without damping the messages of the grid repeat with period 2. Set damping to 0.5, so that every sweep keeps "
    "half of the old message. What will the messages do?",
    (
        "converge, and decode to the best states",
        "converge, but decode to worse states",
        "repeat, but jump by smaller amounts",
    ),
    "Without damping the messages jump from one side of the fixed point to the other. The mean of the old and the new "
    "message is closer to the fixed point, and here the messages converge. With this noise the fixed point decodes to "
    "the best states. With other noise, or on the frustrated triangle, the decoded states need not be the best.",
    locked="damping",
    before={
        "topology": "grid",
        "coupling": -1.0,
        "perturbation": 0.5,
        "damping": 0.0,
        "start": "zero",
        "seed": 0,
    },
    shows={"damping": 0.5},
)
