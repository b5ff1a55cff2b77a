"""Explorers: pictures with controls, one idea each. An explorer HAS a widget; show it by ending a cell with it.

To write one: derive from `Explorer`, say which controls it has (`make_controls`), compute a state from their values
(`compute`), paint it (`paint`) and describe it (`describe`). The base adds the lock, the layout, the failure list, the
readouts, the picture for pages without a kernel, and `exercise()`, which drives every control in tests.
"""

from .bound_meter import BoundMeter
from .check_board import check_sudoku
from .check_cardinality import check_exactly_k
from .check_completions import check_failing_setting
from .check_conventions import check_binary_model, check_log_partition_shift
from .check_deconvolution import check_spare_feature
from .check_diversity import check_collapse, check_effective_digits
from .check_learning import check_better_match, check_counted_kl
from .check_messages import check_ising_update
from .check_mmd import check_enough_sweeps, check_mmd
from .check_noise import check_bound_shift, check_gumbel_difference
from .check_relaxation import check_reduced_program
from .check_sampler import check_anytime, check_clamp
from .check_speed import check_sweep_limit
from .check_structured import check_better_samples
from .checks import Verdict
from .comparing import ComparingExplorer
from .composer import Composer
from .deconvolution_studio import DeconvolutionStudio
from .energy_table import EnergyTable
from .explorer import Explorer
from .factor_bench import FactorBench
from .failure_list import assert_no_failures, clear_failures, failures, record, set_strict, watch_threads
from .graph_lab import GraphLab
from .message_scope import MessageScope
from .noise_ribbon import NoiseRibbon
from .one_sample import OneSample
from .perturbation_lab import PerturbationLab
from .pixel_painter import PixelPainter
from .player import Clip, Player
from .predict import Predict
from .race import Race
from .rbm_studio import RBMStudio
from .relaxation_scope import RelaxationScope
from .sixty_second import SixtySecondPMP
from .still import Still
from .structured_figure import structured_figure
from .training_camera import TrainingCamera
from .wrong_model import WrongModelDial
from .zeros_brush import ZerosBrush

__all__ = [
    "BoundMeter",
    "Clip",
    "ComparingExplorer",
    "Composer",
    "DeconvolutionStudio",
    "EnergyTable",
    "Explorer",
    "FactorBench",
    "GraphLab",
    "MessageScope",
    "NoiseRibbon",
    "OneSample",
    "PerturbationLab",
    "PixelPainter",
    "Player",
    "Predict",
    "RBMStudio",
    "Race",
    "RelaxationScope",
    "SixtySecondPMP",
    "Still",
    "TrainingCamera",
    "Verdict",
    "WrongModelDial",
    "ZerosBrush",
    "assert_no_failures",
    "check_anytime",
    "check_better_match",
    "check_better_samples",
    "check_binary_model",
    "check_bound_shift",
    "check_clamp",
    "check_collapse",
    "check_counted_kl",
    "check_effective_digits",
    "check_enough_sweeps",
    "check_exactly_k",
    "check_failing_setting",
    "check_gumbel_difference",
    "check_ising_update",
    "check_log_partition_shift",
    "check_mmd",
    "check_reduced_program",
    "check_spare_feature",
    "check_sudoku",
    "check_sweep_limit",
    "clear_failures",
    "failures",
    "record",
    "set_strict",
    "structured_figure",
    "watch_threads",
]
