"""Section 5.2 and Appendix D, page 5_2: estimates of log Z by perturbation, and the linear programs.

`log_partition.lattices` computes the left panel of Figure 1, and `figures.figure_1_left` draws it. `lattice` computes
the exact log Z of these lattices. `log_partition.random_models` computes the centre panel, and
`figures.figure_1_centre` draws it. `paper_rows` has the reference values of the centre panel. `parallel_mplp` is
the solver with damped parallel updates, the negative result of the section. `linear_programs` compares the standard
linear program with the reduced one of Appendix D.
"""
