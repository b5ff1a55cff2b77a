"""Factors: one type a file; each knows its score, its messages and its conditionals, and nothing about the graph."""

from .base import AbstractFactor
from .bipartite import Bipartite
from .dense_pairwise import DensePairwise
from .edge_tables import EdgeTables
from .edges import Edges

__all__ = ["AbstractFactor", "Bipartite", "DensePairwise", "EdgeTables", "Edges"]
