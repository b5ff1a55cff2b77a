"""The question about the values that a variable takes: do they matter?"""

from ..question import Question

QUESTION = Question(
    "All six couplings are 0.5, and all biases are 0. Change the two values of each variable from −1 and +1 to 0 and "
    "1, and keep all strengths. What happens to the two modes?",
    (
        "one mode is left: all variables 1",
        "both modes stay, as likely as before",
        "no mode is left: all are as likely",
    ),
    "A product of two variables is now 1 if both are 1, and 0 otherwise. So every coupling prefers the value 1 for its "
    "two variables, and the configuration with four ones has by far the lowest energy.",
    locked="states",
    before={
        "factor": "J12",
        "strength": 0.5,
        "states": "{−1, +1}",
        "temperature": 1.0,
        "strengths": {f"b{i}": 0.0 for i in range(1, 5)}
        | dict.fromkeys(("J12", "J13", "J14", "J23", "J24", "J34"), 0.5),
    },
    shows={"states": "{0, 1}"},
)
