"""The question about budgets: which sampler is closest if all have the same time?"""

from ..question import Question

QUESTION = Question(
    "After 32 sweeps on the long chain, Gibbs-with-gradients (GWG) is closest to exact samples. Set budget to time: "
    "every method then has the time of 32 sweeps of PMP. Where will GWG be?",
    (
        "behind Gibbs sampling, far from the band",
        "still the closest of the four samplers",
        "level with PMP, at the same distance",
    ),
    "Before each flip, GWG computes how much every possible flip would change the score. In the time of 32 sweeps of "
    "PMP it makes a few sweeps at most, often none, and Gibbs sampling makes many more.",
    locked="budget",
    before={"model": "long chain", "couplings": "the same", "budget": "sweeps", "measure": "MMD", "sweeps": 32},
    shows={"budget": "time"},
)
