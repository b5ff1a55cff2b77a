"""pmp_kit: understand and use perturb-and-max-product (PMP), sampling and learning in discrete energy-based models.

Six nouns: Variables, factors, FactorGraph (a model), solvers, samplers, Trace. Four verbs: solve, sample, trace, fit.
"""

from . import datasets, exact, metrics, observe
from .factors import (
    And,
    AtLeastK,
    AtMostK,
    Bipartite,
    ConvOr,
    CountPotential,
    DensePairwise,
    Edges,
    EdgeTables,
    ExactlyK,
    ExactlyOne,
    NWise,
    Or,
    Parity,
    Pool,
    Potts,
)
from .graph import FactorGraph
from .learn import FitResult, TrainingState, fit, training
from .models import (
    RBM,
    CompleteIsing,
    Ising,
    binary_to_spins,
    blind_deconvolution,
    diagonal_pairs,
    ising_lattice,
    lattice_pairs,
    matrix_factorisation,
    pretrained,
    rbm,
    spins_to_binary,
)
from .noise import Gaussian, Gumbel, Uniform
from .run import Samples, Solution, Trace, sample, solve, trace
from .samplers import PMP, Gibbs, PerturbAndMAP
from .solvers import Exhaustive, MaxProduct
from .variables import FREE, Binary, Categorical, Variables


def __getattr__(name: str):
    """Load on first use the parts that bring matplotlib or ipywidgets along."""
    if name in ("explore", "plot", "record"):
        import importlib

        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'pmp_kit' has no attribute {name!r}")
