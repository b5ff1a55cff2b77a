"""Section 5.2: log Z by perturbation, and the linear programs."""
