"""Section 5.6, notebook 10: blind deconvolution.

`infer` finds features and locations, `drawing` makes images and counts what is right, `chains` samples the posterior by
Gibbs-with-gradients, `factorisation` is Boolean matrix factorisation, `traces` keeps the sweeps for the explorer.

Figure 4, top left and bottom right, and Figure 5, right: `infer.run` computes. `figures.example`, `figures.features`
and `figures.reconstructions` draw.
"""
