"""Section 5.3, notebook 07: a fully connected Ising model of outlines of zeros.

`learn` has data, methods, training and test; `trained` the models that come with the kit; `full_size` the kept run with
the paper's 900 spins; `figures` draws.

Figure 1, right: `learn.test` computes, `figures.quality` draws. Figure 4, middle: `learn.draw` samples, through
`trained.evaluate`, for the kept run of `full_size.learned`; notebook 07 samples its own models in its cell, with 25
sweeps; `figures.samples` draws both.
"""
