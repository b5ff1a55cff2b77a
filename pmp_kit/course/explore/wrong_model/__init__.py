"""Wrong-model dial: four spins, the theta of the data and the theta that is learned, two distances (Section 5.1)."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ....engine import checks
from .. import layout
from ..student import Sampler, Taught
from . import compute
from .compute import STARTS, STEPS, SWEEPS, State

TAKES_THE_PLACE = (
    f"A sampler of your own takes the place of PMP, with {compute.DRAWS:,} samples at each theta. The dotted curve is "
    "that of the kit's PMP, with the chosen <i>start</i>."
)
THETAS = tuple(round(0.01 * step, 2) for step in range(71))


class WrongModelDial(Taught):
    """Wrong-model dial: turn the learned theta, and see which theta makes Gibbs, and which makes PMP, match the data.

    Args:
        data_theta, learned_theta, start, sweeps, step: the first values of the controls; learned_theta is one of
            0.00, 0.01, ... 0.70.
        seed: of PMP's noise and of Adam's samples.
        sampler: a sampler of your own, which takes the place of PMP; the dotted curve is then that of the kit's PMP.
            See `student.Sampler`.
    """

    title = "Wrong-model dial"
    caption = (
        "Bars: the distance (KL) from the data, of the <b>Gibbs</b> distribution (orange) and of the samples of "
        "<b>PMP</b> (blue), both with the learned theta. Below: the path of Adam, which learns from samples of PMP "
        "(dashed lines: minima of the curves). After its first step, a blue curve shows the distance of PMP. Point at "
        "anything to read its numbers."
    )
    telling = {"learned theta": list(THETAS[::5]), "data theta": list(THETAS[10::5])}  # noqa: RUF012
    more = ("seed",)

    def __init__(
        self, data_theta=0.5, learned_theta=0.5, start="zero", sweeps=100, step=0, seed=0,
        sampler: Sampler | None = None,
    ):  # fmt: skip
        checks.count("seed", seed, minimum=0)
        for each in STARTS:
            compute.pmp_table(each, seed)  # now, so that no control has to wait for it
        if sampler is not None:
            self.caption += f" {TAKES_THE_PLACE}"
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "data theta": widgets.FloatSlider(min=0.1, max=0.7, step=0.01),
                "learned theta": widgets.SelectionSlider(options=THETAS),
            },
            "solver": {
                "start": widgets.Dropdown(options=STARTS),
                "sweeps": widgets.SelectionSlider(options=SWEEPS),
            },
            "learning with Adam": {
                "step": widgets.IntSlider(min=0, max=STEPS),
            },
        }

    def extras(self):
        turned, last = self.controls["learned theta"], len(THETAS) - 1
        play, self.loose = layout.player(turned, "index", max=last, step=1, interval=200)
        return [*super().extras(), widgets.HBox([widgets.Label("turn learned theta"), play])]

    def compute(self, params) -> State:
        results = [] if self.student is None else self.student.found(params["sweeps"])
        own = compute.own_shares(results) if len(results) == len(compute.COUPLINGS) else None
        return compute.state(**{self.argument(name): value for name, value in params.items()}, own=own)

    def compute_shown(self, params) -> State:
        if self.student is not None:
            self.student.ask(params["sweeps"], lambda: compute.parts(params["sweeps"], params["seed"]))
        return self.compute(params)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the state; before Adam's first step, the curve of PMP would answer the question of the page."""
        fields = state._asdict() | {"thetas": compute.DIAL, "steps": STEPS, "sampler": state.sampler}
        if len(state.path) == 1:
            return fields | dict.fromkeys(("pmp_curve", "kit_curve", "best", "closest"))
        return fields | {"best": state.best, "closest": state.closest}

    def says(self, state: State) -> str:
        steps = len(state.path) - 1
        at = "the end of the dial" if state.path[-1] == THETAS[-1] else f"{state.path[-1]:.3f}"
        name, end = state.sampler, f"Adam at {at} after {steps} steps"
        adam = f" · {name} closest at {state.closest}, {end}" if steps else ""
        return f"KL to Gibbs {state.kl_gibbs:.3f}, to {name} {state.kl_pmp:.3f} nats{adam} · seed {state.seed}"
