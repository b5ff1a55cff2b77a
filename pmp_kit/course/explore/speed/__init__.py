"""Run-time explorer: how long a run will take on this machine, beside a measurement of it."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ..job import Job
from ..picture import Explorer
from . import compute
from .compute import COUNTS, FACTOR, KEPT, MODELS, SAMPLERS, SIZES, SWEEPS, Setting, State, words
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
        "sampler on this machine. Press <b>run</b>: a mark shows the measured time. Right: your last runs; between the "
        f"dotted lines, the prediction is within a factor of {FACTOR}. Point at a mark to read its numbers."
    )
    more = ("runs",)
    telling = ("size", "samples")

    def __init__(self, model="lattice", size=400, sampler="PMP", samples=16, device=None, runs=()):
        device = device or compute.devices()[0]
        for kind in compute.devices():
            compute.costs.yardsticks(kind)  # now, so that no control has to wait for a compiler
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

    def completed(self, params):
        """Return params in which the runs are plain tuples, or None if there are none."""
        return params | {"runs": tuple(map(tuple, params["runs"] or ())) or None}

    def press(self) -> None:
        """Run the setting of the controls in the background, or stop."""
        try:
            if self._runner is not None:
                self._stop()
                self.refresh()
                return
            setting = Setting(*(self.params[name] for name in Setting._fields))
            self._runner, self.button.description = Runner(setting), "stop"
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
        with self.lock:
            if runner is not self._runner:  # stopped meanwhile
                return
            self._progress.value, runs = runner.done, self.params["runs"]
            if runner.over:
                self._stop()
                runs = (*(runs or ()), tuple(runner.ran()))[-KEPT:]
            self.update(runs=runs)

    def restore(self, values: dict[str, Any]) -> None:
        """Go to these params; a run that goes on is stopped."""
        self._stop()
        super().restore(values)

    def compute(self, params) -> State:
        return compute.state(**params)

    def compute_shown(self, params) -> State:
        state, runner = self.compute(params), self._runner
        return state if runner is None or runner.setting != state.setting else state._replace(doing=runner.words)

    def frame(self, state: State) -> dict[str, Any]:
        """Return the setting, the curves, and the runs; `here` are those that belong to the curves."""
        last, fixed = (
            state.last,
            {"samplers": SAMPLERS, "sizes": SIZES, "sweeps": SWEEPS, "kept": KEPT, "factor": FACTOR},
        )
        common = state.setting._replace(size=0, sampler="")
        here = [run.setting._replace(size=0, sampler="") == common for run in state.runs]
        return fixed | {
            "setting": state.setting._asdict(),
            "predicted": state.predicted,
            "measured": None if last is None else last.measured,
            "curves": state.curves,
            "runs": [run._asdict() | {"here": one} for run, one in zip(state.runs, here, strict=True)],
        }

    def says(self, state: State) -> str:
        setting, last = state.setting, state.last
        rough = "" if setting.device == "cpu" else " (roughly, because the table was measured on a CPU)"
        size = f"{setting.size:,} variables, {setting.samples} samples"
        line = f"{size}: predicted {words(state.predicted)}{rough}"
        if state.doing:
            return f"{line} · {state.doing}"
        if last is None:
            return f"{line} · the first run also compiles, about {words(state.compiling)}"
        line += f", measured {words(last.measured)}"
        line += "" if last.sweeps == SWEEPS else f", scaled up from {last.sweeps} sweeps"
        if last.compiling > 0.05:  # seconds; otherwise it was compiled before
            line += f" · compiling took {words(last.compiling)}"
        busy = last.measured > FACTOR * last.predicted
        return f"{line} · longer than predicted: is the machine busy?" if busy else line
