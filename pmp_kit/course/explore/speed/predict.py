"""The question about messages: how many times as long is a run if all variables are coupled?"""

from ..question import Question

QUESTION = Question(
    "The explorer shows the predicted time of 100 sweeps with PMP for 100 samples on a lattice of 1,600 spins. How "
    "many times as long does a run take in the dense model of 1,600 spins?",
    ("several hundred times as long", "about thirty times as long", "about four times as long"),
    "A sweep updates every message once. The lattice has 6,400 directed messages in each sample, and the dense model "
    "has 2,558,400, which is 400 times as many. A message of the dense model also takes about twice as long, because "
    "the messages of one sample, 10 MB, do not fit into the cache.",
    locked="model",
    before={"model": "lattice", "size": 1600, "sampler": "PMP", "samples": 100, "device": "cpu"},
    shows={"model": "dense"},
)
