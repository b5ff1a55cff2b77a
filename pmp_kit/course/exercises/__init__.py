"""Checks of the exercises: each compares a reader's answer with the right one. There is one file for each chapter.

A new check is a function in the file of its chapter and a name here. CONTRIBUTING.md says where its tests are.
"""

from .deconvolution import check_redundant_feature
from .digits import check_failing_setting
from .energies import check_binary_model, check_log_partition_shift
from .factors import check_or_update
from .graphs import check_better_samples
from .judging import check_mmd
from .learning import check_learn
from .messages import check_update
from .noise import check_bound_shift, check_gumbel_difference
from .own import check_sudoku
from .pmp import check_pmp
from .programs import check_reduced_program
from .rbm import check_collapse, check_effective_digits
from .sampler import check_anytime, check_clamp
from .speed import check_sweep_limit
from .verdict import Verdict
from .wrong_model import check_better_match
from .zeros import check_enough_sweeps

__all__ = [
    "Verdict",
    "check_anytime",
    "check_better_match",
    "check_better_samples",
    "check_binary_model",
    "check_bound_shift",
    "check_clamp",
    "check_collapse",
    "check_effective_digits",
    "check_enough_sweeps",
    "check_failing_setting",
    "check_gumbel_difference",
    "check_learn",
    "check_log_partition_shift",
    "check_mmd",
    "check_or_update",
    "check_pmp",
    "check_reduced_program",
    "check_redundant_feature",
    "check_sudoku",
    "check_sweep_limit",
    "check_update",
]
