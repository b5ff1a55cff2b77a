"""An explorer for tests whose picture the page draws: it counts its calls, can fail on request, and has a job."""

import pathlib
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np

from pmp_kit.course.explore import picture
from pmp_kit.course.explore.job import Job

SCRIPT = pathlib.Path(__file__).with_name("draw.js")


class State(NamedTuple):
    """What the toy shows: `values` at each of four frames, and what was found by its job."""

    values: np.ndarray
    number: int
    kind: str
    found: int


class DrawnToy(picture.Explorer):
    """Shows four bars. `breaks` names the step that raises. Kind "a" halves a number above 50."""

    title, caption, layer_names, telling = "Toy", "Watch the <b>bars</b>.", ("bars", "names"), ("number",)
    drawing = SCRIPT.read_text(encoding="utf-8")

    def __init__(self, breaks="", number=10, kind="b", layers=("bars",)):
        self.breaks, self.computed = breaks, []
        self.job = Job("toy", self.step, lambda error: self.fail("a step", error))
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {"number": widgets.IntSlider(min=0, max=100), "kind": widgets.Dropdown(options=["a", "b"])},
        }

    def completed(self, params):
        return {"found": 0} | params

    def changed(self, params, name, value):
        after = super().changed(params, name, value)
        halves = after["kind"] == "a" and after["number"] > 50
        return after | {"number": after["number"] // 2} if halves else after

    def step(self):
        self.update(found=self.params["found"] + 1)

    def compute(self, params):
        self._break("compute")
        self.computed.append(dict(params))
        values = params["number"] + np.arange(8.0).reshape(4, 2)
        return State(values, params["number"], params["kind"], params["found"])

    def frame(self, state):
        self._break("frame")
        return super().frame(state)

    def says(self, state):
        self._break("says")
        return f"number {state.number} of kind {state.kind}, {state.found} found"

    def arguments(self):
        return {name: value for name, value in super().arguments().items() if name != "found"}

    def _break(self, step):
        if self.breaks == step:
            raise RuntimeError(f"planted in {step}")
