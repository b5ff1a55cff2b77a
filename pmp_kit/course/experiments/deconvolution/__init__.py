"""Section 5.6, page 5_6: blind deconvolution.

`infer` finds features and locations. `drawing` generates images and scores reconstructions. `chains` samples the
posterior with Gibbs-with-gradients. `factorisation` is Boolean matrix factorisation. `traces` stores the sweeps for the
explorer.

`infer.run` computes Figure 4, top left and bottom right, and Figure 5, right. `figures.example`, `figures.features` and
`figures.reconstructions` draw them.
"""
