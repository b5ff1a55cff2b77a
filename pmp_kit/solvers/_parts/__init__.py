"""Code that several solvers share: pairwise normal form, and calls to NumPy and SciPy on the host."""
