"""Section 5.3, page 5_3: a fully connected Ising model of outlines of zeros.

`learn` has the data, methods, training and test. `trained` has the pretrained models. `full_size` has the stored run
with the paper's 900 spins. `figures` draws the results.

`learn.test` computes Figure 1, right, and `figures.quality` draws it. `figures.samples` draws Figure 4, middle. Its
samples come from `learn.draw`: `full_size.learned` calls `trained.evaluate`, which calls `learn.run` and `learn.test`.
A cell of the page draws the samples of the quick profile itself, from the pretrained models with 25 sweeps.
"""

from .full_size import load as at_full_size
