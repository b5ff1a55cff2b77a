"""What several solvers share: pairwise normal form, calls to NumPy and SciPy on the host."""
