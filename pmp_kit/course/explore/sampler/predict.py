"""The question about loops: what do they do to the score of the decoded states?"""

from ..question import Question

QUESTION = Question(
    "On the chain the score of the decoded states rises to the best score and stays there. The spin glass is a grid "
    "with many loops. What will the score of its decoded states do in 64 sweeps?",
    (
        "reach the best score, then fall again",
        "reach the best score, and stay there",
        "stay below the best score the whole time",
    ),
    "On a graph with loops the messages need not converge, so the decoded states keep changing. The kit therefore "
    "looks at them every few sweeps, and returns the best that it has seen. With about 6 seeds in 10 the score falls "
    "again, with 3 in 10 it stays at the best, and with a few it never gets there: move the seed.",
    locked="model",
    before={"model": "chain", "coupling": 0.8, "perturbation": 1.0, "seed": 2, "damping": 0.5},
    shows={"model": "spin glass"},
)
