"""Explorers: pictures with controls, one idea each. An explorer HAS a widget; show it by ending a cell with it.

To write one: derive from `Explorer`, say which controls it has (`make_controls`), compute a state from their values
(`compute`), paint it (`paint`) and describe it (`describe`). The base adds the lock, the layout, the failure list, the
readouts, the picture for pages without a kernel, and `exercise()`, which drives every control in tests.
"""

from .check_completions import check_failing_setting
from .check_deconvolution import check_spare_feature
from .check_learning import check_better_match, check_counted_kl
from .check_messages import check_ising_update
from .check_noise import check_bound_shift, check_gumbel_difference
from .checks import Verdict
from .deconvolution_studio import DeconvolutionStudio
from .explorer import Explorer, Still
from .failure_list import assert_no_failures, clear_failures, failures, record, set_strict, watch_threads
from .message_scope import MessageScope
from .perturbation_lab import PerturbationLab
from .pixel_painter import PixelPainter
from .player import Clip, Player
from .predict import Predict
from .sixty_second import SixtySecondPMP
from .wrong_model import WrongModelDial

__all__ = [
    "Clip",
    "DeconvolutionStudio",
    "Explorer",
    "MessageScope",
    "PerturbationLab",
    "PixelPainter",
    "Player",
    "Predict",
    "SixtySecondPMP",
    "Still",
    "Verdict",
    "WrongModelDial",
    "assert_no_failures",
    "check_better_match",
    "check_bound_shift",
    "check_counted_kl",
    "check_failing_setting",
    "check_gumbel_difference",
    "check_ising_update",
    "check_spare_feature",
    "clear_failures",
    "failures",
    "record",
    "set_strict",
    "watch_threads",
]
