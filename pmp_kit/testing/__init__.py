"""Checks for your own tests: `check_factor` compares the methods of a factor with enumeration on a small example.

Run a check once for each class that you write. The main functions do not repeat it in every call.
"""

from .factor import check_factor

__all__ = ["check_factor"]
