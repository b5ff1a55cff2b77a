"""Samplers: perturb-and-MAP around any solver, and Markov chains, one a file."""

from .base import AbstractSampler, View
from .gibbs import Gibbs
from .gradients import GibbsWithGradients
from .langevin import DiscreteLangevin
from .persistent import PersistentPMP
from .perturb_and_map import PMP, PerturbAndMAP
from .random_scan import RandomScanGibbs
from .tempering import ParallelTempering

__all__ = [
    "PMP",
    "AbstractSampler",
    "DiscreteLangevin",
    "Gibbs",
    "GibbsWithGradients",
    "ParallelTempering",
    "PersistentPMP",
    "PerturbAndMAP",
    "RandomScanGibbs",
    "View",
]
