"""Solvers: approximate and exact MAP, one a file."""

from .base import AbstractSolver, Answer
from .exhaustive import Exhaustive
from .max_product import MaxProduct

__all__ = ["AbstractSolver", "Answer", "Exhaustive", "MaxProduct"]
