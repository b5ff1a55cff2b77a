"""Perturbation lab: perturb, take the best configuration, repeat; compare what comes out with the model itself."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from ..picture import Explorer
from . import compute
from .compute import State
from .models import FAMILIES, MODELS

COUNTS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)


class PerturbationLab(Explorer):
    """Perturbation lab: noise on a model of one to four variables, the exact maximum, and what its distribution is.

    Args:
        model, coupling, distribution, perturbation, samples: the first values of the controls.
        seed: of the noise.
    """

    title = "Perturbation lab"
    caption = (
        "Bars: how often each configuration has the highest score after noise is added. Lines: the exact p(x). "
        "In the middle: scores and noise of the first draw, and the configuration with the highest sum. "
        "Below: the mean perturbed maximum minus log Z, with two standard errors. With Gumbel noise and perturbation 1 "
        "its true value is at least 0. Point at anything to read its numbers."
    )
    more = ("seed",)
    telling = {  # noqa: RUF012
        "perturbation": np.linspace(0.1, 2, 20).round(1).tolist(),
        "coupling": np.linspace(-1.5, 1.5, 13).tolist(),
    }
    parts = ("shares", "score", "noise", "maximiser", "mean", "partition")

    def __init__(
        self, model="two spins", coupling=0.5, distribution="Gumbel", perturbation=1.0, samples=COUNTS[-1], seed=0
    ):
        checks.count("seed", seed, minimum=0)
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "model": widgets.Dropdown(options=list(MODELS)),
                "coupling": widgets.FloatSlider(min=-1.5, max=1.5, step=0.05),
            },
            "noise": {
                "distribution": widgets.Dropdown(options=list(FAMILIES)),
                "perturbation": widgets.FloatSlider(min=0.1, max=2.0, step=0.05),
                "samples": widgets.SelectionSlider(options=COUNTS),
            },
        }

    def compute(self, params) -> State:
        return compute.state(**params)

    def says(self, state: State) -> str:
        bound = f"mean of the maxima − log Z = {state.excess:+.3f} ± {2 * state.error:.3f} nats"
        return f"total variation to p(x) {state.distance:.3f} · {bound} · seed {state.seed}"
