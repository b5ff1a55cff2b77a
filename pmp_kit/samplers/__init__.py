"""Samplers: perturb-and-MAP around any solver, and Markov chains, one a file."""

from .base import AbstractSampler, View
from .gibbs import Gibbs
from .perturb_and_map import PMP, PerturbAndMAP

__all__ = ["PMP", "AbstractSampler", "Gibbs", "PerturbAndMAP", "View"]
