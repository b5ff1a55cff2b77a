"""Factors, one type per file. Each type defines its score, its messages and its conditionals.

A factor does not depend on the rest of the graph. New types derive from the classes in `base`, `group` (factors of m
binary variables), `entries` and `table` (tables of scores), `binary_pairs` and `weighted_pairs`. They share `hard`
(messages of hard factors), `forbidden` (scores of -inf), `bethe` (Bethe free energy of tables), `incidence` (the
factors of each variable), `two_colouring` (of the variables of pairs), `tiles` (layout of dense pairs) and
`convolution` (windows of images).
"""

from .base import AbstractFactor
from .bipartite import Bipartite
from .cardinality import AtLeastK, AtMostK, ExactlyK, ExactlyOne
from .conv_or import ConvOr
from .count import CountPotential
from .custom import Custom
from .dense_pairwise import DensePairwise
from .edge_tables import EdgeTables
from .edges import Edges
from .logic import And, Or
from .parity import Parity
from .pool import Pool
from .potts import Potts
from .table import NWise
from .tables import Tables

__all__ = [
    "AbstractFactor",
    "And",
    "AtLeastK",
    "AtMostK",
    "Bipartite",
    "ConvOr",
    "CountPotential",
    "Custom",
    "DensePairwise",
    "EdgeTables",
    "Edges",
    "ExactlyK",
    "ExactlyOne",
    "NWise",
    "Or",
    "Parity",
    "Pool",
    "Potts",
    "Tables",
]
