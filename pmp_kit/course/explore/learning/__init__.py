"""Training camera: an Ising model learns outlines of digits, and its sampler is changed on the way (Section 5.3)."""

from __future__ import annotations

import functools
import time
from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from .. import stops
from ..job import Job, warm_up
from ..picture import Explorer
from . import compute
from .compute import State
from .lesson import CHAINS, SAMPLERS, STEPS, VARIANTS, Lesson, each, joined, outlines, steps_of, variant_of

FILMED = 50  # steps of a page without a kernel, if none were taken
NUMBERS = 60_000  # weights in all states of such a page, about
A_PICTURE = 0.09  # seconds between pictures while it runs, at least


class TrainingCamera(Explorer):
    """Training camera: start, pause and step a real `pk.training`; the sampler may be changed while it learns.

    Args:
        images: what to learn, (N, height, width) of 0 and 1; outlines of scikit-learn's zeros by default.
        sampler, chains, sweeps, seed: the first values of the controls.
        step: steps to take before the first picture.
        taken: steps to take before these, with other samplers: (sampler, chains, sweeps, steps) in order.
    """

    title = "Training camera"
    caption = (
        "Each step draws 100 samples, compares how often each <b>pair</b> of pixels is on in them and in the data, and "
        "changes the weight of the pair a little. On the diagonal the samples agree with the data. Point at anything "
        "to read its numbers, at a dot or a weight to see its two pixels."
    )
    telling = ("step",)
    more = ("step", "taken")
    parts = ("data", "samples", "difference")

    def __init__(self, images=None, sampler="PMP", chains="reset", sweeps=20, seed=0, step=0, taken=()):
        checks.count("step", step, minimum=0)
        if (total := step + sum(map(steps_of, taken))) > STEPS:
            raise ValueError(f"step: expected at most {STEPS} steps with those of `taken`, got {total}; take fewer")
        self.lesson = Lesson(outlines() if images is None else images)
        first = variant_of({"sampler": sampler, "chains": chains})
        self.lesson.warm_up(first)
        taken = joined([*taken, (*first, sweeps, step)] if step else taken)
        self._returns = 0
        self.job = Job("training camera", self._work, self._failed, lambda: self.over)
        self._buttons = {word: widgets.Button(description=word) for word in ("start", "step", "restart")}
        super().__init__(locals())
        for word, button in self._buttons.items():
            button.layout.width = "31%"
            button.on_click(lambda _, word=word: self.press(word))
        others = [functools.partial(self.lesson.warm_up, variant) for variant in VARIANTS if variant != first]
        self.warming = warm_up(others, lambda error: self.fail("compiling", error))

    def make_controls(self):
        return {
            "sampler": {
                "sampler": widgets.Dropdown(options=SAMPLERS),
                "chains": widgets.Dropdown(options=CHAINS),
                "sweeps": widgets.IntSlider(min=1, max=50),
            },
            "noise": {"seed": widgets.IntSlider(min=0, max=20)},
        }

    def extras(self):
        return [widgets.HBox(list(self._buttons.values()))]

    # ------------------------------------------------------------------------------------------------ steps of learning

    @property
    def over(self) -> bool:
        """Whether the last step has been taken."""
        return self.params["step"] >= STEPS

    def press(self, word: str) -> None:
        """Do what a button says: "start" (or pause), "step" or "restart"."""
        if self.over and word != "restart":  # a click that was on its way while the last step was taken
            return
        try:
            if word == "start" and not self.job.running:
                self.job.start()
            elif word == "start":
                self.job.pause()
            elif word == "step":
                self.job.pause()
                self.job.run()
            else:
                self._returns += 1
                self.update(step=0, taken=())
            self._show_buttons()
        except Exception as error:
            self.fail(word, error)

    def _work(self) -> None:
        """Take steps until the next picture is due, or one if the job is paused. Drop them if it was set back."""
        returns, before, end = self._returns, self.params, time.perf_counter() + A_PICTURE
        now = self.lesson.after(before["seed"], before["taken"])
        while True:
            now = self.lesson.advance(now, self.params)
            if now.step >= STEPS or not self.job.running or time.perf_counter() > end:
                break
        with self.lock:
            here = all(self.params[name] == before[name] for name in ("seed", "taken"))
            if here and self._returns == returns:
                self.update(step=now.step, taken=now.taken)

    def _failed(self, error: Exception) -> None:
        """Show what a step raised; the job is paused."""
        self._show_buttons()
        self.fail("training", error)

    def _show_buttons(self) -> None:
        """Write what the first button does, and lock the control and the buttons that have no effect."""
        self._buttons["start"].description = "pause" if self.job.running and not self.over else "start"
        self.controls["chains"].disabled = self.params["sampler"] == "PMP"  # new samples in every step
        for word in ("start", "step"):
            self._buttons[word].disabled = self.over

    def refresh(self) -> None:
        """Compute and send; then show what the buttons do."""
        super().refresh()
        if not self.closed:
            self._show_buttons()

    def restore(self, values: dict[str, Any]) -> None:
        """Go to these params with their steps; the training is paused."""
        self.job.pause()
        self._returns += 1
        super().restore(values)

    # ------------------------------------------------------------------------------------------------ params and states

    def completed(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the params with the number of the steps that were taken."""
        taken = joined(params["taken"])
        return params | {"taken": taken, "step": sum(map(steps_of, taken))}

    def changed(self, params: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        """Return the params after one was set: another seed begins again, another step goes back or on."""
        if name == "seed":
            return params | {"seed": value, "step": 0, "taken": ()}
        if name == "step":
            on = (params["sampler"], params["chains"], params["sweeps"], 1)
            return params | {"step": value, "taken": joined([*each(params["taken"]), *[on] * value][:value])}
        return super().changed(params, name, value)

    def stops(self, name: str) -> list[Any]:
        """Return the steps that a page without a kernel has: the way to the present one, or the first steps."""
        if name != "step":
            return super().stops(name)
        return stops.spread(self.params["step"] or FILMED, NUMBERS // len(self.lesson.data_pairs))

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the class that make this view again; they take the steps of training again."""
        return super().arguments() | {"step": 0, "taken": list(self.params["taken"])}

    def compute(self, params) -> State:
        return compute.state(self.lesson, self.lesson.after(params["seed"], params["taken"]), params)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the samples and the weights; the page counts in how many samples a pair is on."""
        lesson = self.lesson
        counts = np.rint(lesson.images * lesson.data_pairs)
        return {
            "samples": state.samples.astype(bool),
            "data": counts.astype(np.uint8 if lesson.images < 256 else np.int32),
            "images": lesson.images,
            "means": lesson.data_means,
            "weights": lesson.upper(state.weight),
            "bias": state.bias,
            "gaps": state.gaps,
            "taken": state.taken,
            "gap": state.gap,
            "floor": lesson.floor,
            "sampler": state.sampler,
            "step": state.step,
            "steps": STEPS,
        }

    def says(self, state: State) -> str:
        floor = self.lesson.floor
        gap = "all weights 0"
        if state.taken:
            gap = (
                f"moment gap {state.gap:.3f} of these samples ({state.sampler}), {state.gaps[-1]:.3f} in the last step "
                f"({state.taken[-1][0]}), {floor:.3f} by chance"
            )
        chains = f"chains {state.chains}" if state.sampler == "Gibbs" else "new samples in every step"
        if state.sampler == "Gibbs" and state.chains == "persistent":
            chains += " as the last step left them" if state.kept else " from the next step on"
        return (
            f"step {state.step} · {gap} · largest weight {np.abs(state.weight).max():.2f} nats · "
            f"{state.sampler}, {chains} · seed {state.seed}"
        )
