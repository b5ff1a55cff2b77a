"""Section 5.4, Appendices A and B.1, pages 5_4 and appendix_b: learning lattices and random graphs.

`data` has the true models and their samples, `learn` has the methods, `lab` has the stored runs for the explorer,
`tables` has the means over seeds, `single_updates` has samplers that update a few variables at a time, and `scaled` has
samples of the true lattice with smaller couplings.

`learn.reset` computes Figure 2, left, and Figure 5. `learn.persistent` computes Figure 2, middle and right.
`figures.structured_figure` draws all of them.
"""
