"""Training camera: an Ising model learns outlines of digits, and its sampler is changed on the way (Section 5.3)."""

from __future__ import annotations

import functools
import itertools
import time
from typing import Any

import ipywidgets as widgets
import numpy as np

from ....engine import checks
from .. import film
from ..explorer import Explorer
from ..job import Job, warm_up
from ..page.told import Told
from . import compute, paint
from .compute import State
from .lesson import CHAINS, SAMPLERS, STEPS, VARIANTS, Lesson, Progress, outlines, steps_of, variant_of

FILMED = 50  # steps
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
        "changes the weight of the pair a little. On the diagonal the samples agree with the data."
    )
    signs = ("pixels", "value", "PMP", "Gibbs")
    width = paint.WIDTH
    telling = "step"

    def __init__(self, images=None, sampler="PMP", chains="reset", sweeps=20, seed=0, step=0, taken=()):
        step = checks.count("step", step, minimum=0)
        if (total := step + sum(map(steps_of, taken))) > STEPS:
            raise ValueError(f"step: expected at most {STEPS} steps with those of `taken`, got {total}; take fewer")
        lesson = Lesson(outlines() if images is None else images)
        first = variant_of({"sampler": sampler, "chains": chains})
        lesson.warm_up(first)
        self._painter = paint.Painter(lesson.data_pairs, lesson.floor, STEPS, lesson.shape)
        self.progress, self._seed, self._painted_at = Progress(lesson, seed), seed, 0.0
        self.progress.take([*taken, (*first, sweeps, step)] if step else taken)
        self.job = Job("training camera", self._work, self._failed)
        self._buttons = {word: widgets.Button(description=word) for word in ("start", "step", "restart")}
        super().__init__(locals())
        for word, button in self._buttons.items():
            button.layout.width = "31%"
            button.on_click(lambda _, word=word: self.press(word))
        others = [functools.partial(lesson.warm_up, variant) for variant in VARIANTS if variant != first]
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

    def make_picture(self) -> Told:
        hint = "Point at a block of the weights, or choose one with the arrow keys, to read what it is."
        painter = self._painter
        return Told(self.width, painter.blocks(), painter.sentences(), hint, painter.parts)

    def press(self, word: str) -> None:
        """Do what a button says: "start" (or pause), "step" or "restart"."""
        if self.progress.over and word != "restart":  # a click that was on its way while the last step was taken
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
                self.progress.restart(self._seed)
            self._buttons["start"].description = "pause" if self.job.running else "start"
            self.refresh()
        except Exception as error:
            self.fail(word, error)

    def _work(self) -> None:
        """Take one step of training, and paint a picture if the last one is old enough."""
        self.progress.advance(super().params())
        if self.progress.over:
            self.job.pause()
            self._buttons["start"].description = "start"
        if time.perf_counter() - self._painted_at > A_PICTURE or not self.job.running:
            self.refresh()
            self._painted_at = time.perf_counter()

    def _failed(self, error: Exception) -> None:
        """Show what a step raised; the job is paused."""
        self._buttons["start"].description = "start"
        self.fail("training", error)

    def params(self) -> dict[str, Any]:
        """Return the values of the controls; another seed restarts the training."""
        values = super().params()
        if values["seed"] != self._seed:
            self._seed = values["seed"]
            self.progress.restart(self._seed)
        return values

    def refresh(self) -> None:
        """Compute and paint; after the picture, lock the control and the buttons that have no effect."""
        super().refresh()
        self.controls["chains"].disabled = self.controls["sampler"].value == "PMP"  # new samples in every step
        for word in ("start", "step"):
            self._buttons[word].disabled = self.progress.over

    def view(self) -> dict[str, Any]:
        """Return the values of the controls and the state of training."""
        return super().view() | {"now": self.progress.now}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the state of training, which is paused."""
        self.job.pause()
        self._buttons["start"].description = "start"
        super().set_view(values)
        self._seed = values["seed"]
        self.progress.return_to(values["now"])

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the class that make this view again; they take the steps of training again."""
        values = super().arguments()
        now = values.pop("now")
        return values | {"step": 0} | ({"taken": list(now.taken)} if now.taken else {})

    def states(self, over: str) -> list[tuple[Any, Any]]:
        """Return the states over a control, or, over "step", those on the way to the steps taken so far.

        Without any steps yet, the first FILMED steps are taken with the sampler of the controls.
        """
        if over != self.telling:
            return super().states(over)
        params, now, lesson = super().params(), self.progress.now, self.progress.lesson
        taken = now.taken or ((params["sampler"], params["chains"], params["sweeps"], FILMED),)
        steps = [(name, chains, sweeps, 1) for name, chains, sweeps, count in taken for _ in range(count)]
        again = Progress(lesson, now.seed)
        states = []
        for start, stop in itertools.pairwise([0, *film.spread(len(steps))]):
            again.take(steps[start:stop])
            states.append((stop, compute.state(lesson, again.now, params)))
        return states

    def compute(self, params) -> State:
        lesson, now = self.progress.lesson, self.progress.now
        return compute.state(lesson, now if params["seed"] == now.seed else lesson.fresh(params["seed"]), params)

    def describe(self, state: State) -> str:
        floor = self.progress.lesson.floor
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

    def exercise_more(self) -> int:
        """Press every button, with every kind of chains; no thread is left."""
        kept, values = self.progress.now, super().params()
        for variant in VARIANTS:
            for name, value in zip(("sampler", "chains"), variant, strict=True):
                self.controls[name].value = value
            self.press("step")
        for word in ("start", "start", "restart"):
            self.press(word)
        self.job.join()
        self.progress.now = kept
        for name in ("sampler", "chains"):
            self.controls[name].value = values[name]
        self.refresh()
        return len(VARIANTS) + 3
