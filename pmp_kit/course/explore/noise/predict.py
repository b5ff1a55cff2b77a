"""The question about the noise: how much of it does a variable of three states need?"""

from ..question import Question

QUESTION = Question(
    "For a variable of two states, logistic noise on state 0 alone gives exactly the right probabilities. Use the same "
    "noise for three states: logistic noise on state 0, none on states 1 and 2. What will the bars show?",
    ("state 1 is never the maximiser", "all three have the right shares", "all three are slightly wrong"),
    "States 1 and 2 get no noise, so state 2, which has the higher score of the two, beats state 1 in every draw.",
    locked="distribution",
    before={
        "model": "one variable, 3 states",
        "coupling": 1.0,
        "distribution": "Gumbel",
        "perturbation": 1.0,
        "samples": 20_000,
        "seed": 0,
    },
    shows={"distribution": "logistic on state 0"},
)
