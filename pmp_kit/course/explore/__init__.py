"""Explorers: pictures with controls, one idea each. A cell that ends with an explorer shows it.

Each explorer is a folder: `__init__.py` is the class with its controls and texts, `compute.py` turns the values of the
controls into a `State`, and `draw.js` draws the state in the page. `picture/README.md` shows how to write one.
"""

from .bounds import BoundMeter
from .course_map import CourseMap
from .deconvolution import DeconvolutionStudio
from .digits import SixtySecondPMP
from .drift import NoiseRibbon
from .energies import EnergyTable
from .factors import FactorBench
from .graphs import GraphLab
from .judging import SampleJudge
from .learning import TrainingCamera
from .linked import Linked, equations, listings
from .messages import MessageScope, damping
from .noise import PerturbationLab
from .own import Composer
from .phase_map import Measure, PhaseMap
from .picture import Explorer, Painted
from .predict import Predict
from .programs import RelaxationScope
from .race import Race
from .rbm import RBMStudio
from .sampler import OneSample, anytime
from .speed import RunTime
from .watch import Watch
from .wrong_model import WrongModelDial
from .zeros import ZerosBrush

__all__ = [
    "BoundMeter",
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
    "Painted",
    "PerturbationLab",
    "PhaseMap",
    "Predict",
    "RBMStudio",
    "Race",
    "RelaxationScope",
    "RunTime",
    "SampleJudge",
    "SixtySecondPMP",
    "TrainingCamera",
    "Watch",
    "WrongModelDial",
    "ZerosBrush",
    "anytime",
    "damping",
    "equations",
    "listings",
]
