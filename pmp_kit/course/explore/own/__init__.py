"""Composer: any model, with sliders for its arrays, sampled live beside the exact answer where that is known."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np

import pmp_kit as pk

from ....engine import checks
from ....graph import as_graph
from ..picture import Explorer
from . import compute
from .compute import State

CONTROLS = 5
MOST = 3.0  # the largest scale of a parameter
FEW_DAMPINGS = [0.0, 0.3, 0.5, 0.7, 0.9]  # on pages without a kernel
PARTED = "perturbation", "seed", "damping"  # left out, in this order, if the model has many sliders


class Composer(Explorer):
    """Composer: sliders for the numbers of any model, its samples, marginals, and whether they have settled.

    Args:
        model: a FactorGraph, or anything with .graph().
        show: a function of a dict of samples that gives integers (samples, height, width) to draw; by default the
            states of the first block.
        parameters: names of arrays of the model (see `compute.parameters`), each of which gets a slider that
            multiplies it; a dict gives them other words. By default the first two.
        evidence: as for `sample`.
        sampler: a function of (damping, perturbation); by default it makes `PMP`.
        samples: how many are drawn.
        longest: most sweeps, a multiple of 32. The slider of the sweeps has steps of longest / 32.
        sweeps, damping, perturbation, seed: the first values of these controls; `sweeps` is `longest` by default.
        scales: the first values of the sliders of the parameters, by the word on the slider; 1 by default.

    Raises:
        ValueError: an unknown parameter, more than four of them, or a model that contradicts itself.
    """

    title = "Composer"
    caption = (
        "The first samples; a red frame marks one that breaks a rule. Beside them: how often each variable is in each "
        "state. A line is the exact probability, where it is known, and red is the largest error. Below: the shares of "
        "samples that have settled and that keep all rules, by sweep."
    )
    more = PARTED  # params also in a model whose sliders leave no room for them

    def __init__(
        self, model, *, show: Callable | None = None, parameters: Sequence[str] | Mapping[str, str] | None = None,
        evidence=None, sampler: Callable = compute.pmp, samples=100, longest=64, sweeps=None, damping=0.5,
        perturbation=1.0, seed=0, scales: Mapping[str, float] | None = None,
    ):  # fmt: skip
        given = locals()
        self.model, self.evidence, self.sampler, self._show, self._samples = model, evidence, sampler, show, samples
        graph = as_graph(model)
        self.variables, self._ruled = graph.variables, graph.hard or graph.allowed is not None
        blocks = dict(self.variables.blocks)
        self.block = next((name for name, block in blocks.items() if not block.auxiliary), self.variables.names[0])
        self.num_states = blocks[self.block].states
        self.parameters = compute.chosen(model, parameters, CONTROLS - 1)
        if clash := {*PARTED, "sweeps"} & set(self.parameters):
            raise ValueError(f"parameters: expected other words than those of controls, got {min(clash)!r}")
        if checks.count("longest", longest) % compute.ROWS:
            nearest = max(1, round(longest / compute.ROWS)) * compute.ROWS
            raise ValueError(f"longest: expected a multiple of {compute.ROWS} sweeps, got {longest}; take {nearest}")
        self._every, self._longest = longest // compute.ROWS, longest
        if isinstance(sampler, pk.samplers.AbstractSampler) or not callable(sampler):
            got = checks.describe(sampler)
            raise TypeError(f"sampler: expected a function of damping and perturbation, got {got}; pass its name")
        self._scales = {name: checks.number("scales", scale, 0.0, MOST) for name, scale in (scales or {}).items()}
        if unknown := self._scales.keys() - set(self.parameters):
            raise ValueError(f"scales: expected names among {', '.join(self.parameters)}, got {min(unknown)!r}")
        self._draw = functools.lru_cache(maxsize=8)(self._drawn)
        first = tuple(self._scales.get(name, 1.0) for name in self.parameters)
        self._draw(first, damping, perturbation, seed)  # raises here, not into the picture
        super().__init__(given | {"sweeps": longest if sweeps is None else sweeps})
        self.telling = self._told_controls()

    def _told_controls(self) -> dict[str, list]:
        """Return the controls of a page without a kernel: the sweeps, and the damping where the pictures are small."""
        sweeps = {"sweeps": list(range(0, self._longest + 1, self._every))}
        small = "damping" in self.controls and self.state.pictures[0].size <= compute.SMALL
        return {"damping": FEW_DAMPINGS} | sweeps if small else sweeps

    def make_controls(self):
        scale = functools.partial(widgets.FloatSlider, min=0.0, max=MOST, step=0.05)
        own = {name: scale(value=self._scales.get(name, 1.0)) for name in self.parameters}
        house = {
            "perturbation": widgets.FloatSlider(min=0.0, max=2.0, step=0.05),
            "seed": widgets.IntSlider(min=0, max=20),
            "damping": widgets.FloatSlider(min=0.0, max=0.95, step=0.05),
            "sweeps": widgets.IntSlider(max=self._longest, step=self._every),
        }
        for name in PARTED[: max(0, len(own) + len(house) - CONTROLS)]:
            del house[name]
        noise = {name: house.pop(name) for name in ("perturbation", "seed") if name in house}
        groups = {"model (1: as given)": own, "noise": noise, "solver": house}
        return {heading: controls for heading, controls in groups.items() if controls}

    def arguments(self) -> dict[str, Any]:
        values = super().arguments()
        scales = {name: values.pop(self.argument(name)) for name in self.parameters}
        return values | ({"scales": scales} if set(scales.values()) != {1.0} else {})

    def compute(self, params) -> State:
        scales = tuple(params[name] for name in self.parameters)
        batch, exact = self._draw(scales, params["damping"], params["perturbation"], params["seed"])
        row = params["sweeps"] // self._every
        return compute.state(
            batch,
            row,
            self.variables.unflatten(batch.states[row]),
            self.block,
            self.num_states,
            self._show,
            exact=None if exact is None else compute.entries(exact[self.block]),
            sweeps=row * self._every,
            seed=params["seed"],
        )

    def _drawn(self, scales: tuple[float, ...], damping: float, perturbation: float, seed: int):
        """Draw a batch and compute the exact marginals."""
        model = compute.scaled(self.model, dict(zip(self.parameters.values(), map(np.float32, scales), strict=True)))
        batch = compute.draw(
            model, self.sampler(damping, perturbation), self.evidence, self._samples, self._every, seed
        )
        return batch, compute.exact(model, self.evidence)

    def frame(self, state: State) -> dict[str, Any]:
        """Return what the page draws: the first samples, the marginals, and both curves."""
        shown = compute.shown(state)
        pictures = state.pictures[:shown]
        small = pictures.min() >= 0 and pictures.max() < 256
        return {
            "pictures": pictures.astype(np.uint8 if small else np.int32),
            "allowed": state.allowed[:shown],
            "most": state.most,
            "own": self._show is None,
            "samples": len(state.allowed),
            "states": self.num_states,
            "marginals": state.marginals,
            "exact": state.exact,
            "worst": state.worst,
            "rows": compute.rows_of_map(state, self.num_states),
            "settled": state.settled,
            "lawful": state.lawful,
            "ruled": self._ruled,
            "row": state.row,
            "every": self._every,
        }

    def says(self, state: State) -> str:
        settled = "" if state.settled is None else f"{100 * state.settled[state.row]:.0f} % settled, "
        samples = "1 sample" if len(state.allowed) == 1 else f"{len(state.allowed)} samples"
        kept = f"{100 * state.allowed.mean():.0f} % keep all rules" if self._ruled else "no hard rules"
        found = f"{settled}{kept}, {state.different} different samples{self._compare(state)}"
        return f"{samples} after {state.sweeps} sweeps: {found} · seed {state.seed}"

    def _compare(self, state: State) -> str:
        """Compare the marginals with the exact ones, where these are known."""
        if state.exact is None:
            return ""
        if state.worst is None:
            near = f" · marginals within {np.abs(state.marginals - state.exact).max():.2f} of the exact ones, "
            equal = state.different == 1 and len(state.allowed) > 1
            chance = f"not clearly more than by chance with {len(state.allowed)} samples"
            return near + ("all pictures are equal" if equal else chance)
        share, exact = state.marginals[state.worst], state.exact[state.worst]
        apart = ", on the other side of one half" if (share - 0.5) * (exact - 0.5) < 0 and self.num_states == 2 else ""
        name = compute.entry_name(state.worst, self.num_states)
        return f" · error beyond chance: {name}, samples {share:.2f}, exact {exact:.2f}{apart}"
