"""Samplers, one per file: perturb-and-MAP with any solver, exact sampling on trees, and Markov chains.

MAP stands for maximum a posteriori, the highest-scoring configuration.
"""

from .base import AbstractSampler, View
from .forward_backward import ForwardBackward
from .gibbs import Gibbs
from .gradients import GibbsWithGradients
from .langevin import DiscreteLangevin
from .persistent import PersistentPMP
from .perturb_and_map import PMP, PerturbAndMAP
from .random_scan import RandomScanGibbs
from .tempering import ParallelTempering
from .warm_start import WarmStart

__all__ = [
    "PMP",
    "AbstractSampler",
    "DiscreteLangevin",
    "ForwardBackward",
    "Gibbs",
    "GibbsWithGradients",
    "ParallelTempering",
    "PersistentPMP",
    "PerturbAndMAP",
    "RandomScanGibbs",
    "View",
    "WarmStart",
]
