"""Section 5.4, Appendices A and B.1, notebook 08: learning lattices and random graphs.

`data` has the true models and their samples, `learn` the methods, `lab` the kept runs behind the explorer, `tables` the
means over seeds, `single_updates` samplers that change a few variables at a time.

Figure 2, left, and Figure 5: `learn.reset` computes. Figure 2, middle and right: `learn.persistent` computes.
`figures.structured_figure` draws all of them.
"""
