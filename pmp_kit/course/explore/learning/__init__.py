"""Training camera: an Ising model learns outlines of digits, and its sampler is changed on the way (Section 5.3)."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ipywidgets as widgets
import numpy as np

from ...plot.pixels import Image
from ..explorer import Explorer
from ..job import Job
from ..page.still import Still
from . import compute as lesson
from .course import CameraState, Course
from .paint import WIDTH, CameraPainter

A_PICTURE = 0.09  # seconds between pictures while it runs, at least


class TrainingCamera(Explorer):
    """Training camera: start, pause and step a real `pk.training`; the sampler may be changed while it learns.

    Args:
        images: what to learn, (N, height, width) of 0 and 1; outlines of scikit-learn's zeros by default.
        sampler, chains, sweeps, seed: where the controls stand first.
        step: steps to take before the first picture.
    """

    title = "Training camera"
    caption = (
        "Each step draws 100 samples, compares how often each <b>pair</b> of pixels is on in them and in the data, and "
        "changes the pair's weight by the difference. When all dots lie on the diagonal there is nothing left to learn."
    )

    def __init__(self, images=None, sampler="PMP", chains="reset", sweeps=20, seed=0, step=0):
        self._first = {"sampler": sampler, "chains": chains, "sweeps": sweeps, "seed": seed}
        learned = lesson.Lesson(lesson.outlines() if images is None else images)
        with ThreadPoolExecutor() as pool:  # now, so that no control has to wait for a compiler
            list(pool.map(learned.warm_up, lesson.VARIANTS))
        self._painter = CameraPainter(learned.data_pairs, learned.floor, lesson.STEPS, learned.shape)
        self.course, self._seed, self._painted_at = Course(learned, seed), seed, 0.0
        self.job = Job("training camera", self._work, lambda error: self.fail("training", error))
        self._buttons = {word: widgets.Button(description=word) for word in ("start", "step", "restart")}
        super().__init__()
        for word, button in self._buttons.items():
            button.layout.width = "31%"
            button.on_click(lambda _, word=word: self.press(word))
        if step:
            self.job.run(step)
            self.refresh()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "sampler": {
                "sampler": widgets.Dropdown(options=lesson.SAMPLERS, value=first["sampler"]),
                "chains": widgets.Dropdown(options=lesson.CHAINS, value=first["chains"]),
                "sweeps": widgets.IntSlider(value=first["sweeps"], min=1, max=50),
            },
            "noise": {"seed": widgets.IntSlider(value=first["seed"], min=0, max=20)},
        }

    def extras(self):
        return [widgets.HBox(list(self._buttons.values()))]

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def press(self, word: str) -> None:
        """What the buttons do: "start" (or pause), "step", "restart"."""
        try:
            if word == "start" and not self.job.running:
                self.job.start()
            elif word == "start":
                self.job.pause()
            elif word == "step":
                self.job.pause()
                self.job.run()
            else:
                self.course.restart(self._seed)
            self._buttons["start"].description = "pause" if self.job.running else "start"
            self.refresh()
        except Exception as error:
            self.fail(word, error)

    def _work(self) -> None:
        """One step of training, and a picture of it now and then."""
        self.course.advance(super().params())
        if self.course.over:
            self.job.pause()
            self._buttons["start"].description = "start"
        if time.perf_counter() - self._painted_at > A_PICTURE or not self.job.running:
            self.refresh()
            self._painted_at = time.perf_counter()

    def params(self) -> dict[str, Any]:
        """The values of the controls; another seed starts anew."""
        values = super().params()
        self.controls["chains"].disabled = values["sampler"] == "PMP"  # its samples are new in every step
        if values["seed"] != self._seed:
            self._seed = values["seed"]
            self.course.restart(self._seed)
        return values

    def compute(self, params) -> CameraState:
        return self.course.look(params)

    def paint(self, state: CameraState) -> Image:
        return self._painter.paint(state)

    def sweeps(self, state: CameraState) -> float:
        return 0.0

    def describe(self, state: CameraState) -> str:
        floor = self.course.lesson.floor
        gap = f"moment gap {state.gaps[-1]:.3f}, noise {floor:.3f}" if len(state.gaps) else "all weights 0"
        chains = f"chains {state.chains}" if state.sampler == "Gibbs" else "new samples in every step"
        return (
            f"step {state.step} · {gap} · largest weight {np.abs(state.weight).max():.2f} nats · "
            f"{state.sampler}, {chains} · seed {state.seed}"
        )

    def exercise_more(self) -> int:
        """Press every button, with every kind of chains; nothing runs on afterwards."""
        kept = self.course.now
        for variant in lesson.VARIANTS:
            for name, value in zip(("sampler", "chains"), variant, strict=True):
                self.controls[name].value = value
            self.press("step")
        for word in ("start", "start", "restart"):
            self.press(word)
        self.job.join()
        self.course.now = kept
        self.controls["sampler"].value, self.controls["chains"].value = self._first["sampler"], self._first["chains"]
        self.refresh()
        return len(lesson.VARIANTS) + 3
