"""Section 5.1, page 5_1: a model of four spins that PMP learns with other parameters than the true ones.

`learn` has the true model and the training. `figures` draws the steps of training, and how many spins are up.
The paper has no figure of this section.
"""
