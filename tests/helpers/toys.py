"""Explorers for tests: one that counts and can be told to fail, and the real ones on small inputs."""

import functools

import ipywidgets as widgets
import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.course import explore


class Toy(explore.Explorer):
    """Paints one grey pixel for its number; `breaks` names the step that raises."""

    title = "Toy"
    caption = "Watch the <b>grey</b>."

    def __init__(self, breaks=""):
        self.breaks = breaks
        self.computed = []
        super().__init__()

    def make_controls(self):
        return {
            "model": {"number": widgets.IntSlider(min=0, max=100, value=10)},
            "noise": {"kind": widgets.Dropdown(options=["a", "b"]), "perturbation": widgets.Checkbox()},
        }

    def make_picture(self):
        return explore.Still(20)

    def compute(self, params):
        self._break("compute")
        self.computed.append(dict(params))
        return dict(params)

    def paint(self, state):
        self._break("paint")
        return np.full((10, 20, 3), state["number"], np.uint8)

    def describe(self, state):
        return f"number {state['number']} of kind {state['kind']}"

    def sweeps(self, state):
        return 10

    def _break(self, step):
        if self.breaks == step:
            raise RuntimeError(f"planted in {step}")


@functools.cache
def small_rbm() -> pk.RBM:
    """An untrained RBM of 8 x 8 pixels with lively weights."""
    model = pk.rbm(jax.random.key(3), visible=(8, 8), hidden=12)
    return pk.RBM(30.0 * model.weight, model.visible_bias, model.hidden_bias, (8, 8))


def sixty_second() -> explore.SixtySecondPMP:
    digits = np.random.default_rng(0).integers(0, 2, (20, 8, 8)).astype(np.int32)
    return explore.SixtySecondPMP(small_rbm(), digits, sweeps=10)


@functools.cache
def ring_images() -> np.ndarray:
    """Forty noisy rings of 5 x 5 pixels."""
    ring = np.zeros((5, 5), int)
    ring[[0, -1]] = ring[:, [0, -1]] = 1
    return (np.random.default_rng(0).random((40, 5, 5)) < np.where(ring, 0.8, 0.1)).astype(np.int32)


def training_camera() -> explore.TrainingCamera:
    return explore.TrainingCamera(ring_images(), sweeps=5)


def zeros_brush() -> explore.ZerosBrush:
    weight = np.random.default_rng(1).normal(0, 0.4, (36, 36))
    return explore.ZerosBrush(pk.Ising(weight + weight.T, np.zeros(36), (6, 6)), stroke="narrow")


def composer() -> explore.Composer:
    variables = pk.Variables(bit=pk.Binary(4))
    graph = pk.FactorGraph(variables, [pk.Parity(variables["bit"])], {"bit": np.array([1.0, -1.0, 2.0, 0.5])})
    return explore.Composer(graph, samples=20, longest=32)


EXPLORERS = {
    "bound_meter": explore.BoundMeter,
    "energy_table": explore.EnergyTable,
    "one_sample": explore.OneSample,
    "race": explore.Race,
    "composer": composer,
    "factor_bench": explore.FactorBench,
    "relaxation_scope": explore.RelaxationScope,
    "deconvolution_studio": explore.DeconvolutionStudio,
    "sixty_second": sixty_second,
    "message_scope": explore.MessageScope,
    "perturbation_lab": explore.PerturbationLab,
    "graph_lab": explore.GraphLab,
    "noise_ribbon": explore.NoiseRibbon,
    "training_camera": training_camera,
    "rbm_studio": explore.RBMStudio,
    "wrong_model": explore.WrongModelDial,
    "zeros_brush": zeros_brush,
}
