"""Run-time explorer: how long a run will take on this machine, beside a measurement of it."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ..explorer import Explorer
from ..job import Job
from . import compute, paint
from .compute import COUNTS, KEPT, MODELS, SAMPLERS, SIZES, SWEEPS, Ran, Setting, State
from .runner import Runner


class RunTime(Explorer):
    """Run-time explorer: choose model, sampler, size and number of samples; read the predicted time, and measure it.

    Args:
        model, size, sampler, samples: the first values of the controls.
        device: "cpu", "gpu" or "tpu", one that this machine has; by default the one that JAX uses.
        runs: what was measured before, in the order of `Ran`.
    """

    title = "Run time"
    caption = (
        f"Left: the predicted time of {SWEEPS} sweeps, from a table of measured times and from one short run of each "
        "sampler on this machine. Press <b>run</b>: a mark shows the measured time. Right: your last runs."
    )
    signs = ("PMP", "Gibbs", "Gibbs-with-gradients", "cursor", "chosen", "within")
    width = paint.WIDTH
    telling = "samples"

    def __init__(self, model="lattice", size=400, sampler="PMP", samples=16, device=None, runs=()):
        device = device or compute.devices()[0]
        for kind in compute.devices():
            compute.costs.yardsticks(kind)  # now, so that no control has to wait for a compiler
        self._painter, self.runs = paint.Painter(), tuple(Ran(*run) for run in runs)
        self._runner: Runner | None = None
        self._job = Job("run time", self._work, self._failed)
        self.button = widgets.Button(description="run", layout=widgets.Layout(width="31%"))
        self.button.on_click(lambda _: self.press())
        self._progress = widgets.IntProgress(max=Runner.CALLS, description="progress")
        self._progress.layout.width = "64%"
        super().__init__(locals())

    def make_controls(self):
        return {
            "model": {
                "model": widgets.Dropdown(options=MODELS),
                "size": widgets.SelectionSlider(options=SIZES),
            },
            "sampler": {
                "sampler": widgets.Dropdown(options=SAMPLERS),
                "samples": widgets.SelectionSlider(options=COUNTS),
                "device": widgets.Dropdown(options=compute.devices()),
            },
        }

    def extras(self):
        return [widgets.HBox([self.button, self._progress])]

    def press(self) -> None:
        """Run the setting of the controls in the background, or stop."""
        try:
            if self._runner is not None:
                self._stop()
                self.refresh()
                return
            self._runner, self.button.description = Runner(Setting(**self.params())), "stop"
            self.refresh()  # before the thread has anything to say
            self._job.start()
        except Exception as error:
            self._failed(error)

    def _stop(self) -> None:
        """Stop after the present call."""
        self._job.pause()
        self._runner, self.button.description, self._progress.value = None, "run", 0

    def _failed(self, error: Exception) -> None:
        self._stop()
        self.fail("running", error)

    def _work(self) -> None:
        """Make one call, and keep the run if it was the last one."""
        runner = self._runner
        if runner is None:  # stopped meanwhile, and perhaps about to start again
            return
        runner.step()
        if runner is not self._runner:  # stopped meanwhile
            return
        self._progress.value = runner.done
        if runner.over:
            self.runs = (*self.runs, runner.ran())[-KEPT:]
            self._stop()
        self.refresh()

    def view(self) -> dict[str, Any]:
        """Return the values of the controls, and the runs as plain tuples."""
        return super().view() | {"runs": tuple(map(tuple, self.runs)) or None}

    def set_view(self, values: dict[str, Any]) -> None:
        """Set the controls and the runs; a run that goes on is stopped."""
        self._stop()
        super().set_view(values)
        self.runs = tuple(Ran(*run) for run in values["runs"] or ())

    def compute(self, params) -> State:
        state, runner = compute.state(**params, runs=self.runs), self._runner
        return state if runner is None or runner.setting != state.setting else state._replace(doing=runner.words)

    def describe(self, state: State) -> str:
        setting, last = state.setting, state.last
        rough = "" if setting.device == "cpu" else " (roughly, because the table was measured on a CPU)"
        predicted = f"predicted {paint.words(state.predicted)}{rough}"
        words = f"{paint.size(setting)}: {predicted}"
        if state.doing:
            return f"{words} · {state.doing}"
        if last is None:
            return f"{words} · the first run also compiles, about {paint.words(state.compiling)}"
        words += f", measured {paint.words(last.measured)}"
        words += "" if last.sweeps == SWEEPS else f", scaled up from {last.sweeps} sweeps"
        busy = " · longer than predicted: is the machine busy?" if last.measured > paint.FACTOR * last.predicted else ""
        if last.compiling > 0.05:  # seconds; otherwise it was compiled before
            words += f" · compiling took {paint.words(last.compiling)}"
        return f"{words}{busy}"

    def exercise_more(self) -> int:
        """Run the setting that is compiled already, and press stop; all is left as it was."""
        kept = self.view()
        model, size, samples = compute.costs.YARDSTICK
        self.restore({**kept, "model": model, "size": size, "samples": samples})
        self.press()
        self._job.join()
        self.press()
        self.press()
        self._job.join()
        self.restore(kept)
        return 3
