"""Explorers: pictures with controls, one idea each. A cell that ends with an explorer shows it.

Each explorer is a folder: `__init__.py` is the class with its controls and texts, `compute.py` turns the values of the
controls into a `State`, `paint.py` turns the state into pixels. CONTRIBUTING.md shows how to write one.
"""

from .bounds import BoundMeter
from .comparing import ComparingExplorer
from .course_map import CourseMap
from .deconvolution import DeconvolutionStudio
from .digits import SixtySecondPMP
from .drift import NoiseRibbon
from .energies import EnergyTable
from .explorer import Explorer
from .factors import FactorBench
from .graphs import GraphLab
from .judging import SampleJudge
from .learning import TrainingCamera
from .linked import Linked
from .messages import MessageScope
from .noise import PerturbationLab
from .own import Composer
from .page.pixels import PixelPainter
from .page.player import Clip, Player
from .page.still import Still
from .phase_map import Measure, PhaseMap
from .predict import Predict
from .programs import RelaxationScope
from .race import Race
from .rbm import RBMStudio
from .sampler import OneSample
from .speed import RunTime
from .watch import Watch
from .wrong_model import WrongModelDial
from .zeros import ZerosBrush

__all__ = [
    "BoundMeter",
    "Clip",
    "ComparingExplorer",
    "Composer",
    "CourseMap",
    "DeconvolutionStudio",
    "EnergyTable",
    "Explorer",
    "FactorBench",
    "GraphLab",
    "Linked",
    "Measure",
    "MessageScope",
    "NoiseRibbon",
    "OneSample",
    "PerturbationLab",
    "PhaseMap",
    "PixelPainter",
    "Player",
    "Predict",
    "RBMStudio",
    "Race",
    "RelaxationScope",
    "RunTime",
    "SampleJudge",
    "SixtySecondPMP",
    "Still",
    "TrainingCamera",
    "Watch",
    "WrongModelDial",
    "ZerosBrush",
]
