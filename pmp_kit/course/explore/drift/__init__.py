"""Noise ribbon: perturb the perturbation a little, and the samples drift instead of jumping (Appendix A)."""

from __future__ import annotations

import ipywidgets as widgets

from ....engine import checks
from ..explorer import Explorer
from . import compute, paint
from .compute import State


class NoiseRibbon(Explorer):
    """Noise ribbon: sixty steps of one chain of persistent PMP, on a lattice of 8 x 8 spins that like to agree.

    Args:
        rho, start, sweeps, step: the first values of the controls.
        seed: of the noise.
    """

    title = "Noise ribbon"
    caption = (
        "Each column is one sample of 64 spins, for one step of learning. With rho = 0 and a fresh start, neighbouring "
        "columns are independent; with rho near 1 they are almost equal. <b style='color:#CC0000'>Red</b>: spins that "
        "have another state after 60 sweeps with the same choice of <i>start</i>."
    )
    signs = ("pixels", "changes later", "cursor")

    width = paint.WIDTH
    telling = "rho"

    def __init__(self, rho=0.0, start="fresh", sweeps=2, step=0, seed=0):
        self.seed, self._painter = checks.count("seed", seed, minimum=0), paint.Painter()
        compute.table(self.seed)  # now, so that no control has to wait for it
        super().__init__(locals())
        self.play("step", max=compute.STEPS, step=1, interval=170)

    def make_controls(self):
        return {
            "noise": {"rho": widgets.SelectionSlider(options=compute.RHOS)},
            "solver": {
                "start": widgets.Dropdown(options=compute.STARTS),
                "sweeps": widgets.SelectionSlider(options=compute.SWEEPS),
            },
            "time": {"step": widgets.IntSlider(min=0, max=compute.STEPS)},
        }

    def compute(self, params) -> State:
        return compute.state(**params, seed=self.seed)

    def describe(self, state: State) -> str:
        sweeps = "1 sweep" if state.sweeps == 1 else f"{state.sweeps} sweeps"
        return (
            f"{100 * state.chain.changed:.1f} % of the spins change in a step · {sweeps} from a "
            f"{state.start} start: {100 * state.chain.early:.1f} % have another state after "
            f"{compute.MANY} sweeps · seed {state.seed}"
        )
