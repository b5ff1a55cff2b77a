"""The properties of solvers at any scale in 64 bits."""

from laws.test_scale_properties import test_cuts, test_exact_solvers, test_solvers

__all__ = ["test_cuts", "test_exact_solvers", "test_solvers"]
