"""The question about the values that a variable takes: do they matter?"""

from ..question import Question

QUESTION = Question(
    "W12 is 1, and both biases are 0. Change the two values of each variable from −1 and +1 to 0 and 1, and keep all "
    "strengths. What happens to the two modes?",
    (
        "one mode is left: both variables 1",
        "both modes stay, as likely as before",
        "no mode is left: all are as likely",
    ),
    "The product of x1 and x2 is now 1 if both variables are 1, and 0 in the other three states. So the coupling "
    "prefers one state, and the other three are equally likely.",
    locked="states",
    before={
        "factor": "W12",
        "strength": 1.0,
        "states": "{−1, +1}",
        "temperature": 1.0,
        "strengths": {"b1": 0.0, "b2": 0.0, "W12": 1.0},
    },
    shows={"states": "{0, 1}"},
)
