"""The question about a factor that counts: how many different answers does it give?"""

from ..question import Question
from .compute import drawn

QUESTION = Question(
    "The factor exactly k allows the configurations with exactly k ones, here k = 2 of n = 4. Four different messages "
    "come in. How many different values will be among the four outgoing messages?",
    ("two different values", "one value for all four", "four different values"),
    "The two variables with the largest incoming messages compete with the third largest message, and the other two "
    "variables compete with the second largest.",
    locked="factor",
    before={
        "factor": "OR",
        "n": 4,
        "k": 2,
        "seed": 0,
        "temperature": 0.0,
        "incoming": (-1.0, -2.5, -1.6, 3.0, *drawn(0)[4:]),
    },
    shows={"factor": "exactly k"},
)
