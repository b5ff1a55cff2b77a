"""pmp_kit: perturb-and-max-product (PMP), a method for sampling and learning in discrete energy-based models.

Main objects: Variables, factors, FactorGraph (a model), solvers, samplers, Trace. Main functions: solve, sample,
stream, trace, score, fit, tune. `Kernel` offers the single steps of a sampler, so that you can write your own loop.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import convert, exact, measures, testing
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
    Tables,
)
from .graph import FactorGraph
from .kernel import Kernel
from .learning.ascent import FitResult, TrainingState
from .learning.fit import fit, training
from .learning.moments import data_moments, log_likelihood_gradient
from .learning.pseudo_likelihood import fit_pseudo_likelihood, log_pseudo_likelihood, pseudo_training
from .measures import diagnose
from .measures import mmd as metrics
from .models import (
    RBM,
    CompleteIsing,
    Ising,
    binary_to_spins,
    blind_deconvolution,
    ising_lattice,
    lattice_pairs,
    matrix_factorisation,
    rbm,
    spins_to_binary,
)
from .noise import Gaussian, Gumbel, ReversedGumbel, StratifiedGumbel, SumOfGamma, Uniform
from .results import Samples, Solution, Trace
from .sample import sample, score, solve, stream, trace
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
    WarmStart,
    observe,
)
from .samplers.colouring import colours
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
    Polished,
    Portfolio,
    RandomMask,
    RandomStart,
    SumProduct,
    TreePass,
    paper_settings,
)
from .storage import load, save
from .tuning.ladder import tune_ladder
from .tuning.result import Tuned
from .tuning.tune import tune
from .until import Until, sample_until
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
    "Tables",
    "Trace",
    "TrainingState",
    "TreePass",
    "Tuned",
    "Uniform",
    "Until",
    "Variables",
    "WarmStart",
    "binary_to_spins",
    "blind_deconvolution",
    "colours",
    "convert",
    "data_moments",
    "diagnose",
    "exact",
    "fit",
    "fit_pseudo_likelihood",
    "ising_lattice",
    "lattice_pairs",
    "load",
    "log_likelihood_gradient",
    "log_pseudo_likelihood",
    "matrix_factorisation",
    "measures",
    "metrics",
    "observe",
    "paper_settings",
    "pseudo_training",
    "rbm",
    "sample",
    "sample_until",
    "save",
    "score",
    "solve",
    "spins_to_binary",
    "stream",
    "testing",
    "trace",
    "training",
    "tune",
    "tune_ladder",
]

_COURSE = ["datasets", "exercises", "experiments", "explore", "plot", "pretrained"]
"""Public names that `pmp_kit.course` holds. They load on first use, because they need more than the library."""

if TYPE_CHECKING:
    from .course import datasets as datasets
    from .course import exercises as exercises
    from .course import experiments as experiments
    from .course import explore as explore
    from .course import plot as plot
    from .course.pretrained import pretrained as pretrained


def __getattr__(name: str) -> Any:
    """Load a module of the course on first use."""
    if name not in _COURSE:
        raise AttributeError(f"module 'pmp_kit' has no attribute {name!r}")
    module = import_module(f".course.{name}", __name__)
    return module.pretrained if name == "pretrained" else module


def __dir__() -> list[str]:
    """Return what Tab completes: the public names, also those that are not loaded yet, and the modules."""
    others = (name for name, value in globals().items() if name.startswith("__") or isinstance(value, ModuleType))
    return sorted({*__all__, *_COURSE, *others})
