"""Explorers: pictures with controls, one idea each. An explorer HAS a widget; show it by ending a cell with it.

To write one: derive from `Explorer`, say which controls it has (`make_controls`), compute a state from their values
(`compute`), paint it (`paint`) and describe it (`describe`). The base adds the lock, the layout, the failure list, the
readouts, the picture for pages without a kernel, and `exercise()`, which drives every control in tests.
"""

from .bounds import BoundMeter
from .comparing import ComparingExplorer
from .deconvolution import DeconvolutionStudio
from .digits import SixtySecondPMP
from .drift import NoiseRibbon
from .energies import EnergyTable
from .explorer import Explorer
from .factors import FactorBench
from .failures import assert_no_failures, clear_failures, failures, record, set_strict, watch_threads
from .graphs import GraphLab
from .learning import TrainingCamera
from .messages import MessageScope
from .noise import PerturbationLab
from .own import Composer
from .page.pixels import PixelPainter
from .page.player import Clip, Player
from .page.still import Still
from .predict import Predict
from .programs import RelaxationScope
from .race import Race
from .rbm import RBMStudio
from .sampler import OneSample
from .wrong_model import WrongModelDial
from .zeros import ZerosBrush

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
    "WrongModelDial",
    "ZerosBrush",
    "assert_no_failures",
    "clear_failures",
    "failures",
    "record",
    "set_strict",
    "watch_threads",
]
