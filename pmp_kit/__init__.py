"""pmp_kit: understand and use perturb-and-max-product (PMP), sampling and learning in discrete energy-based models.

Six nouns: Variables, factors, FactorGraph (a model), solvers, samplers, Trace. Five verbs: solve, sample, trace,
score, fit. `Kernel` has the single steps of a sampler, for loops of your own.
"""

from typing import Any

from . import datasets, exact, measures, metrics, observe
from .ascent import FitResult, TrainingState
from .blocks import colours
from .factors import (
    And,
    AtLeastK,
    AtMostK,
    Bipartite,
    ConvOr,
    CountPotential,
    Custom,
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
from .kernel import Kernel
from .learn import fit, training
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
from .moments import data_moments
from .noise import Gaussian, Gumbel, ReversedGumbel, StratifiedGumbel, SumOfGamma, Uniform
from .pseudo_likelihood import fit_pseudo_likelihood, log_pseudo_likelihood, pseudo_training
from .results import Samples, Solution, Trace
from .run import sample, score, solve, trace
from .samplers import (
    PMP,
    DiscreteLangevin,
    ForwardBackward,
    Gibbs,
    GibbsWithGradients,
    ParallelTempering,
    PersistentPMP,
    PerturbAndMAP,
    RandomScanGibbs,
)
from .solvers import (
    MPLP,
    Alternating,
    CoordinateAscent,
    Exhaustive,
    Flooding,
    LinearProgram,
    MaxFlow,
    MaxProduct,
    NeutralStart,
    ParallelMPLP,
    Polished,
    Portfolio,
    RandomMask,
    RandomStart,
    SumProduct,
    TreePass,
)
from .storage import load, save
from .variables import FREE, Binary, Categorical, Variables

__all__ = [
    "FREE",
    "MPLP",
    "PMP",
    "RBM",
    "Alternating",
    "And",
    "AtLeastK",
    "AtMostK",
    "Binary",
    "Bipartite",
    "Categorical",
    "CompleteIsing",
    "ConvOr",
    "CoordinateAscent",
    "CountPotential",
    "Custom",
    "DensePairwise",
    "DiscreteLangevin",
    "EdgeTables",
    "Edges",
    "ExactlyK",
    "ExactlyOne",
    "Exhaustive",
    "FactorGraph",
    "FitResult",
    "Flooding",
    "ForwardBackward",
    "Gaussian",
    "Gibbs",
    "GibbsWithGradients",
    "Gumbel",
    "Ising",
    "Kernel",
    "LinearProgram",
    "MaxFlow",
    "MaxProduct",
    "NWise",
    "NeutralStart",
    "Or",
    "ParallelMPLP",
    "ParallelTempering",
    "Parity",
    "PersistentPMP",
    "PerturbAndMAP",
    "Polished",
    "Pool",
    "Portfolio",
    "Potts",
    "RandomMask",
    "RandomScanGibbs",
    "RandomStart",
    "ReversedGumbel",
    "Samples",
    "Solution",
    "StratifiedGumbel",
    "SumOfGamma",
    "SumProduct",
    "Trace",
    "TrainingState",
    "TreePass",
    "Uniform",
    "Variables",
    "binary_to_spins",
    "blind_deconvolution",
    "colours",
    "data_moments",
    "datasets",
    "diagonal_pairs",
    "exact",
    "fit",
    "fit_pseudo_likelihood",
    "ising_lattice",
    "lattice_pairs",
    "load",
    "log_pseudo_likelihood",
    "matrix_factorisation",
    "measures",
    "metrics",
    "observe",
    "pretrained",
    "pseudo_training",
    "rbm",
    "sample",
    "save",
    "score",
    "solve",
    "spins_to_binary",
    "trace",
    "training",
]


def __getattr__(name: str) -> Any:
    """Load on first use the parts that bring matplotlib or ipywidgets along."""
    if name in ("bench", "explore", "plot", "record"):
        import importlib

        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'pmp_kit' has no attribute {name!r}")
