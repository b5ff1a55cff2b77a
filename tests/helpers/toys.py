"""An explorer for tests, which counts its calls and can fail on request."""

import ipywidgets as widgets
import numpy as np

from pmp_kit.course import explore


class Toy(explore.Explorer):
    """An explorer that paints one grey pixel for its number. `breaks` names the step that raises."""

    title = "Toy"
    caption = "Watch the <b>grey</b>."
    width = 20

    def __init__(self, breaks="", number=10, kind="a", perturbation=False):
        self.breaks = breaks
        self.computed = []
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {"number": widgets.IntSlider(min=0, max=100)},
            "noise": {"kind": widgets.Dropdown(options=["a", "b"]), "perturbation": widgets.Checkbox()},
        }

    def compute(self, params):
        self._break("compute")
        self.computed.append(dict(params))
        return dict(params)

    def paint(self, state):
        self._break("paint")
        return np.full((10, 20, 3), state["number"], np.uint8)

    def describe(self, state):
        return f"number {state['number']} of kind {state['kind']}"

    def sweeps(self, state):
        return 10

    def _break(self, step):
        if self.breaks == step:
            raise RuntimeError(f"planted in {step}")
