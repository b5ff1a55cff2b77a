"""Solvers for the highest-scoring configuration (MAP, maximum a posteriori), one per file."""

from .base import AbstractSolver, Answer
from .coordinate_ascent import CoordinateAscent
from .exhaustive import Exhaustive
from .linear_program import LinearProgram
from .max_flow import MaxFlow
from .max_product import MaxProduct, paper_settings
from .mplp import MPLP
from .polish import Polished
from .portfolio import Portfolio
from .schedules import AbstractSchedule, Alternating, Flooding, RandomMask, Update
from .starts import AbstractStart, NeutralStart, RandomStart
from .sum_product import SumProduct
from .tree_pass import TreePass

__all__ = [
    "MPLP",
    "AbstractSchedule",
    "AbstractSolver",
    "AbstractStart",
    "Alternating",
    "Answer",
    "CoordinateAscent",
    "Exhaustive",
    "Flooding",
    "LinearProgram",
    "MaxFlow",
    "MaxProduct",
    "NeutralStart",
    "Polished",
    "Portfolio",
    "RandomMask",
    "RandomStart",
    "SumProduct",
    "TreePass",
    "Update",
    "paper_settings",
]
