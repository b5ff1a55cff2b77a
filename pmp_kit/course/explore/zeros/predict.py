"""The question about short Markov chains: are longer ones better for a model that learned with short ones?"""

from ..learning.predict import after
from ..question import Question

SHORT = {"sampler": "Gibbs", "chains": "reset", "sweeps": 3, "seed": 0}

QUESTION = Question(
    "A model learned with short chains: Gibbs sampling from random pixels, with 3 sweeps in each step. Now the dots of "
    "samples after 3 sweeps lie near the diagonal. Draw samples of the same model with 50 sweeps. Where will the dots "
    "be?",
    ("further from the diagonal", "closer to the diagonal", "just as close to the diagonal"),
    "The weights were fitted so that samples after 3 sweeps have the right moments. After 3 sweeps the chains are "
    "still far from the distribution of the model, and this distribution has other moments.",
    locked="sweeps",
    before=after(300, SHORT),
    shows={"sweeps": 50},
)
