"""The question about cost: which sampler takes the longest for as many sweeps?"""

from ..question import Question

QUESTION = Question(
    "All methods have the same numbers of sweeps. Change budget to time: the curves then show the seconds for "
    "learning and drawing. Which curve will reach furthest to the right?",
    (
        "Gibbs-with-gradients, which compares all flips",
        "PMP, which sends two messages along every pair of spins",
        "Gibbs sampling, which updates spin after spin",
    ),
    "Before each flip, Gibbs-with-gradients computes for every spin how much its flip would change the score. So its "
    "sweeps take longer than those of the other two methods.",
    locked="budget",
    before={"graph": "Erdos-Renyi", "method": "PMP", "budget": "sweeps", "sweeps": 10, "scale": 10},
    shows={"budget": "time"},
)
