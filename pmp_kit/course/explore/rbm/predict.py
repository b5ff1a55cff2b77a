"""The question about chains of training: do new chains draw what they drew?"""

from ..question import Question

QUESTION = Question(
    "The weights PCD-1 constant were learned from Markov chains that advance by one sweep between two steps of Adam, "
    "and at the end of the training these chains showed many different shapes. Start new chains from noise and run "
    "2000 sweeps. What will the 25 samples show?",
    ("two or three shapes, again and again", "all ten digits, but most of them torn", "only noise, and hardly a digit"),
    "In training the weights changed faster than the chains moved, so the chains stayed far from the distribution of "
    "the model. After 2000 sweeps chains are much closer to it, and nearly all of them end at one of a few shapes.",
    locked="weights",
    before={"weights": "PMP", "evidence": "nothing", "seed": 0, "sweeps": 2000, "painted": None},
    shows={"weights": "PCD-1 constant"},
)
