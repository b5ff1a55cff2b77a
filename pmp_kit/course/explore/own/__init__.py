"""Composer: any model gets sliders of its own and is sampled live, beside the exact answer where that is known."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np

from pmp_kit.graph import as_graph

from ...plot.pixels import Image
from ..explorer import Explorer
from ..page.still import Still
from . import compute as view
from .paint import WIDTH, ComposerPainter

CONTROLS = 5
PARTED = "perturbation", "seed", "damping"  # make room, in this order, where the model has many controls of its own


class Composer(Explorer):
    """Composer: sliders for the numbers of any model, its samples, marginals, and whether they have settled.

    Args:
        model: a FactorGraph, or anything with .graph().
        show: a function of a dict of samples that gives integers (samples, height, width) to draw; by default the
            states of the first block.
        parameters: names of arrays of the model (see `composer_view.parameters`), each of which gets a slider that
            multiplies it; a dict gives them other words. By default the first two.
        evidence: as for `sample`.
        sampler: a function of (damping, perturbation); by default it makes `PMP`.
        samples: how many are drawn.
        longest: most sweeps, a multiple of 32.
        damping, seed: where these controls stand first.

    Raises:
        ValueError: an unknown parameter, more than four of them, or a model that contradicts itself.
    """

    title = "Composer"
    caption = (
        "Left: the first samples; a thick red frame means that a hard rule is broken. Right: how often each variable "
        "is in each state, with a black line where the exact answer is known. Below: how the samples come about, sweep "
        "by sweep."
    )

    def __init__(
        self, model, *, show: Callable | None = None, parameters: Sequence[str] | Mapping[str, str] | None = None,
        evidence=None, sampler: Callable = view.pmp, samples=100, longest=64, damping=0.5, seed=0,
    ):  # fmt: skip
        self.model, self.evidence, self.sampler, self._show, self._samples = model, evidence, sampler, show, samples
        self.variables = as_graph(model).variables
        blocks = dict(self.variables.blocks)
        self.block = next((name for name, block in blocks.items() if not block.auxiliary), self.variables.names[0])
        self.num_states = blocks[self.block].states
        self.parameters = view.chosen(model, parameters, CONTROLS - 1)
        if longest % view.ROWS or longest <= 0:
            raise ValueError(f"longest: expected a multiple of {view.ROWS} sweeps, got {longest}; take {view.ROWS}")
        self._first = {"damping": damping, "seed": seed, "longest": longest}
        self._every = longest // view.ROWS
        self._held = {"damping": damping, "perturbation": 1.0, "seed": seed}
        self._draw = functools.lru_cache(maxsize=8)(self._drawn)
        self._painter: ComposerPainter | None = None
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        own = {name: widgets.FloatSlider(value=1.0, min=0.0, max=3.0, step=0.05) for name in self.parameters}
        house = {
            "perturbation": widgets.FloatSlider(value=1.0, min=0.0, max=2.0, step=0.05),
            "seed": widgets.IntSlider(value=first["seed"], min=0, max=20),
            "damping": widgets.FloatSlider(value=first["damping"], min=0.0, max=0.95, step=0.05),
            "sweeps": widgets.IntSlider(value=first["longest"], max=first["longest"], step=self._every),
        }
        for name in PARTED[: max(0, len(own) + len(house) - CONTROLS)]:
            del house[name]
        noise = {name: house.pop(name) for name in ("perturbation", "seed") if name in house}
        groups = {"model: times as strong": own, "noise": noise, "solver": house}
        return {heading: controls for heading, controls in groups.items() if controls}

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> view.ComposerState:
        scales = tuple(params[name] for name in self.parameters)
        batch, exact = self._draw(scales, *(params.get(name, default) for name, default in self._held.items()))
        row = params["sweeps"] // self._every
        named = self.variables.unflatten(batch.states[row])
        return view.ComposerState(
            view.pictures(self._show, self.block, named),
            batch.allowed[row],
            len(np.unique(batch.states[row], axis=0)),
            view.entries(view.shares(named[self.block], self.num_states)),
            None if exact is None else view.entries(exact[self.block]),
            None if batch.residual is None else (batch.residual < view.SETTLED).mean(1),
            *(batch.allowed.mean(1), row),
            *(params["sweeps"], params.get("seed", self._first["seed"])),
        )

    def _drawn(self, scales: tuple[float, ...], damping: float, perturbation: float, seed: int):
        """A batch, and the exact marginals."""
        model = view.scaled(self.model, dict(zip(self.parameters.values(), map(np.float32, scales), strict=True)))
        batch = view.draw(model, self.sampler(damping, perturbation), self.evidence, self._samples, self._every, seed)
        return batch, view.exact(model, self.evidence)

    def paint(self, state: view.ComposerState) -> Image:
        if self._painter is None:
            self._painter = ComposerPainter(state, self.num_states, self._first["longest"])
        return self._painter.paint(state)

    def describe(self, state: view.ComposerState) -> str:
        settled = "" if state.settled is None else f"{state.settled[state.row]:.0%} settled, "
        exact = "" if state.exact is None else f" · marginals within {np.abs(state.marginals - state.exact).max():.2f}"
        return (
            f"{len(state.allowed)} samples after {state.sweeps} sweeps: {settled}{state.allowed.mean():.0%} keep all "
            f"rules, {state.different} different{exact} · seed {state.seed}"
        )
