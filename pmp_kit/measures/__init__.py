"""Measures of the quality of samples, models and chains, and estimates of the log-partition function."""

from .annealed import Annealed, annealed_log_partition
from .bounds import PerturbationBound, log_partition_lower, log_partition_upper
from .cavity import CavityMarginals, cavity_marginals
from .chains import effective_sample_size, mcse, r_hat
from .diagnose import Check, Diagnosis, diagnose
from .errors import MomentErrors, ParameterErrors, divergence, moment_errors, parameter_errors
from .likelihood import log_likelihood
from .panel import Panel, Row, panel
from .tempering import Tempering, tempering

__all__ = [
    "Annealed",
    "CavityMarginals",
    "Check",
    "Diagnosis",
    "MomentErrors",
    "Panel",
    "ParameterErrors",
    "PerturbationBound",
    "Row",
    "Tempering",
    "annealed_log_partition",
    "cavity_marginals",
    "diagnose",
    "divergence",
    "effective_sample_size",
    "log_likelihood",
    "log_partition_lower",
    "log_partition_upper",
    "mcse",
    "moment_errors",
    "panel",
    "parameter_errors",
    "r_hat",
    "tempering",
]
