"""The question about the noise: what is left without it?"""

from ..question import Question

QUESTION = Question(
    "Switch perturbation off and keep everything else. How many different completions will be among the 25?",
    ("only one", "about five", "nearly 25"),
    "The 25 completions differ only in their noise. Without noise all of them solve the same problem from the same "
    "start, so they are equal.",
    locked="perturbation",
    before={"digit": 93, "perturbation": True, "seed": 0, "damping": 0.4, "sweeps": 40, "painted": None},
    shows={"perturbation": False},
)
