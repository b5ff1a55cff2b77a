"""Section 5.5, Appendices B.2 to B.4, notebook 09: restricted Boltzmann machines.

`weights` trains the models that come with the kit, `samples` draws from them, `learn` has data, methods and judgement,
`sizes` the sizes and tables, `coordinate_ascent` the comparison of Appendix B.4, `full_size` the kept run of 784 x 500.

Figure 3, left: `samples` and `full_size` compute, `figures.curves` draws. Figure 3, right, and Figures 6 to 8:
`learn.draw` samples, `figures.gallery` draws.
"""
