"""Sixty-second PMP: paint a part of a digit, and 25 completions appear."""

from __future__ import annotations

import functools
from typing import Any

import ipywidgets as widgets
import numpy as np

import pmp_kit as pk

from ....engine import checks
from ..job import warm_up
from ..picture import Painted
from ..picture.painted import sent
from ..shared.different import different
from ..student import Sampler, Student
from . import compute
from .compute import State

DIGITS = 100  # of the 1,797 to choose from


class SixtySecondPMP(Painted):
    """Sixty-second PMP: real handwritten digits, completed by a trained RBM.

    Args:
        model: an RBM with visible pixels (side, side).
        digits: real digits to start from, (many, side, side) of 0 and 1.
        half: the half of a digit that is painted first, "upper", "lower", "left" or "right".
        digit, perturbation, sweeps, damping, seed: the first values of the controls.
        sampler: a sampler of your own, whose completions are shown beside those of the kit; see `student.Sampler`.
        painted: the first pixels, one word for each row: 1 on, 0 off, . free; by default a half of the digit.
    """

    title = "Sixty-second PMP"
    caption = (
        "Paint pixels <b>on</b>, <b>off</b> or <b>free</b>: the model keeps what is given (outlined) and fills in what "
        "is free (striped), 25 times."
    )
    telling = {"digit": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "sweeps": [*range(0, 21), 25, 30, 40]}  # noqa: RUF012
    chooser = "digit"

    def __init__(
        self, model: pk.RBM, digits: np.ndarray, digit=3, half="upper", perturbation=True, sweeps=40, damping=0.4,
        seed=0, painted=None,
        sampler: Sampler | None = None,
    ):  # fmt: skip
        checks.instance("model", model, pk.RBM, 'pk.pretrained("digits_rbm")')
        self._digits = np.asarray(digits)[:DIGITS]
        if self._digits.ndim != 3 or self._digits.shape[1:] != model.visible:
            wanted, got = ("many", *model.visible), np.shape(digits)
            raise ValueError(f"digits: expected images of the model, shape {wanted}, got {got}; resize or reshape them")
        self._model, self._half = model, half
        self.student = None if sampler is None else Student(sampler, self.refresh)
        super().__init__(locals())
        sizes = self.given(0), np.full(self._digits.shape[1:], pk.FREE)  # of the RBM, see `compute.conditioned`
        warm = functools.partial(compute.state, self._model, self._digits[0])
        calls = [functools.partial(warm, evidence, 1, 0.0, True, 0, self._half) for evidence in sizes]
        self.warming = warm_up(calls, lambda error: self.fail("compiling", error))

    def given(self, chosen) -> np.ndarray:
        return compute.half_of(self._digits[chosen], self._half)

    def extras(self):
        return [] if self.student is None else [self.student.widget]

    def make_controls(self):
        return {
            "model": {"digit": widgets.IntSlider(min=0, max=len(self._digits) - 1)},
            "noise": {
                "perturbation": widgets.Checkbox(indent=True),
                "seed": widgets.IntSlider(min=0, max=50),
            },
            "solver": {
                "damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05),
                "sweeps": widgets.IntSlider(min=0, max=100),
            },
        }

    def compute(self, params) -> State:
        truth, settings = self._digits[params["digit"]], self._settings(params)
        return compute.state(self._model, truth, self.evidence(params), **settings, half=self._half)

    def compute_shown(self, params) -> State:
        state = self.compute(params)
        if self.student is None:
            return state
        settings = self._settings(params)
        parts = functools.partial(compute.parts, self._model, state.evidence, **settings)
        return compute.with_own(state, self.student.ask((*settings.values(), params["painted"]), parts))

    def _settings(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the params of one run; the digit only sets what is painted."""
        return {name: value for name, value in params.items() if name not in ("digit", "painted")}

    def frame(self, state: State) -> dict[str, Any]:
        return {
            "evidence": sent(state.evidence),
            "truth": state.truth.astype(bool),
            "completions": state.completions.astype(bool),
            "sweeps": state.sweeps.astype("u1"),
            "settled": state.settled,
            "own": None if state.own is None else state.own.astype(bool),
            "name": None if self.student is None else self.student.name,
        }

    def says(self, state: State) -> str:
        if state.own is not None and self.student is not None:
            drawn = f"{len(state.own)} completions, {different(state.own)} different"
            return f"{self.student.name}: {drawn} · seed {state.seed}"
        free = int((state.evidence == pk.FREE).sum())
        return (
            f"{free} of {state.evidence.size} pixels free · {state.distinct} different completions · "
            f"{state.settled.sum()} of {compute.COMPLETIONS} settled within {state.allowed} sweeps · seed {state.seed}"
        )

    def stop(self) -> None:
        """End the work in the background; also that of the reader's sampler."""
        super().stop()
        if self.student is not None:
            self.student.stop()
