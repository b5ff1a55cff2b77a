"""The question about learned couplings: are those of another sampler closer to the true ones?"""

from ..question import Question

QUESTION = Question(
    "Each point at the right is a coupling that PMP learned, and the grey line is where it equals the true one. Change "
    "method to Gibbs-with-gradients. Its samples are further from new data. Where will its points lie?",
    ("near those of PMP: also too small", "along the grey line of equal values", "beyond the grey line: too large"),
    "The few steps of learning make the couplings of all samplers too small. RMSE of Gibbs-with-gradients is "
    "smaller by about 4 %, and its samples are more than four times as far from new data as those of PMP. With every "
    "number of sweeps, the order is the same. So RMSE does not tell whose samples are good.",
    locked="method",
    before={"graph": "random graph", "method": "PMP", "budget": "sweeps", "sweeps": 10, "kernel scale": 10},
    shows={"method": "Gibbs-with-gradients"},
)
