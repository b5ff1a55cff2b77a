"""Checks for your own tests: `check_factor`, `check_solver` and `check_sampler` try a class on a small example.

They compare its methods with an enumeration. Run a check once for each class that you write. The main functions do not
repeat it in every call.
"""

from .factor import check_factor
from .sampler import check_sampler
from .solver import check_solver

__all__ = ["check_factor", "check_sampler", "check_solver"]
