"""The question about the code of seven bits: what happens to the doubtful bit on a better channel?"""

from ..question import Question

QUESTION = Question(
    "The fifth bit was received as 0. The control trust multiplies the log-odds of all seven bits. Raise trust from 1 "
    "to 3, as on a channel that hardly ever flips a bit. What happens to the share of ones of the fifth bit?",
    ("it rises above 0.7", "it falls below 0.2", "it stays near 0.45"),
    "The received word violates two checks. An error in the fifth bit alone explains this, and all other explanations "
    "need at least two errors. The rarer errors are, the more likely is the single one.",
    locked="trust",
    before={"trust": 1.0, "perturbation": 1.0, "seed": 0, "damping": 0.5, "sweeps": 32},
    shows={"trust": 3.0},
)
