"""Section 5.2 and Appendix D, notebook 06: log Z by perturbation, and the linear programs.

Figure 1, left: `log_partition.lattices` computes, `figures.figure_1_left` draws. Figure 1, centre:
`log_partition.random_models` computes, `figures.figure_1_centre` draws; `paper_rows` has what the paper reports.
`linear_programs` compares the standard program with the reduced one of Appendix D.
"""
