"""Section 5.3: a fully connected Ising model of outlines of zeros."""
