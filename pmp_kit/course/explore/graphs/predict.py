"""The question about true couplings: are the samples of PMP as good as exact ones with them?"""

from ..question import Question

QUESTION = Question(  # without an explorer; the exercise of the page measures the answer
    "PMP draws 1,000 samples from the lattice with exactly the true couplings. How far are they from new data, in "
    "standard deviations (sd) of exact samples?",
    (
        "about 26 sd, so they are clearly worse",
        "about 1 sd, so they are equally good",
        "about 5 sd, so they are slightly worse",
    ),
    "With the true couplings, perturb-and-MAP makes neighbours differ more often than the model does, and the distance "
    "sees this. Exact couplings do not give exact samples.",
)
