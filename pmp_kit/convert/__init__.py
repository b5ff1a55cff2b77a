"""Models from files and other packages: UAI, edge lists, QUBO, dimod, networkx, pgmpy, scikit-learn, HMM packages.

No other package is imported to read a model, because each object is used by its attributes alone. Every result but that
of `from_bernoulli_rbm` is a `ConvertedModel`, which keeps the names and the order of the original.
"""

from .bqm import from_dimod, to_sampleset
from .edge_list import read_edge_list
from .hmm import from_hmm
from .machine import from_bernoulli_rbm
from .model import ConvertedModel
from .network import from_networkx
from .potentials import from_pgmpy
from .qubo import from_qubo
from .uai import read_uai, write_uai

__all__ = [
    "ConvertedModel",
    "from_bernoulli_rbm",
    "from_dimod",
    "from_hmm",
    "from_networkx",
    "from_pgmpy",
    "from_qubo",
    "read_edge_list",
    "read_uai",
    "to_sampleset",
    "write_uai",
]
