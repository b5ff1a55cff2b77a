"""The picture of the run-time explorer: predicted seconds over the size, and the last runs beside the prediction."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot.pixels import Image
from .compute import KEPT, SAMPLERS, SIZES, SWEEPS, Setting, State

WIDTH, HEIGHT = 640, 350
LOW, HIGH = 3e-4, 3e3  # seconds
TICKS = {1e-3: "1 ms", 1e-2: "10 ms", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 100: "100 s", 1000: "1000 s"}
FACTOR = 1.5  # of a good prediction
LIMIT = 4.0  # ratios beyond it are drawn at the edge
RATIOS = {"1/4": 1 / 4, "1/2": 1 / 2, f"1/{FACTOR}": 1 / FACTOR, "1": 1.0, f"{FACTOR}": FACTOR, "2": 2.0, "4": 4.0}
LOOKS = [plot.METHODS[name] for name in SAMPLERS]


def words(seconds: float) -> str:
    """Write a time with two digits, in the unit that suits it."""
    if seconds < 0.995:
        return f"{1e3 * seconds:.2g} ms" if seconds < 0.0995 else f"{1e3 * seconds:.0f} ms"
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def size(setting: Setting) -> str:
    """Write the number of variables and of samples."""
    return f"{setting.size:,} variables, " + ("1 sample" if setting.samples == 1 else f"{setting.samples} samples")


def common(setting: Setting) -> tuple[str, int, str]:
    """Return what all points of the left picture have in common."""
    return setting.model, setting.samples, setting.device


class Painter:
    """A figure in which curves, marks and numbers change."""

    def __init__(self):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        self._make_curves(self.canvas.axes(0.1, 0.145, 0.49, 0.62))
        self._make_runs(self.canvas.axes(0.7, 0.145, 0.29, 0.62))
        left = 8
        for name, look in zip(SAMPLERS, LOOKS, strict=True):
            self.canvas.write(left, 22, f"{plot.SYMBOLS[look.mark]} {name}", color=plot.readable(look.colour))
            left += 30 + 7.6 * len(name)
        place = {"transform": self.canvas.figure.transFigure, "fontsize": plot.TEXT + 2, "color": plot.INK}
        self.says = self.cursor.axes.text(8 / WIDTH, 1 - 50 / HEIGHT, "", **place)
        self.canvas.moving(self.cursor, *self.lines, self.here, *self.measured, *self.ratios, self.says, self.none)

    def _make_curves(self, axes) -> None:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set(xlim=(SIZES[0] / 1.1, SIZES[-1] * 1.1), ylim=(LOW, HIGH))
        axes.set_xticks(SIZES[::2], [str(size) for size in SIZES[::2]])
        axes.set_yticks(list(TICKS), list(TICKS.values()))
        axes.minorticks_off()
        axes.set_xlabel("variables", **plot.WRITING)
        axes.text(-0.178, 1.05, f"time of {SWEEPS} sweeps", transform=axes.transAxes, **plot.WRITING)
        self.cursor = self.canvas.cursor(axes)
        self.lines = [axes.plot([], [], color=look.colour, linewidth=1.8)[0] for look in LOOKS]
        (self.here,) = axes.plot([], [], "o", markersize=14, markerfacecolor="none", markeredgewidth=1.8)
        self.measured = [self._marks(axes, look) for look in LOOKS]

    def _make_runs(self, axes) -> None:
        axes.set_yscale("log")
        axes.set(xlim=(0.3, KEPT + 0.7), ylim=(1 / LIMIT / 1.15, LIMIT * 1.15))
        axes.set_yticks(list(RATIOS.values()), list(RATIOS))
        axes.set_xticks([])
        axes.minorticks_off()
        axes.set_xlabel("the last runs, in order", **plot.WRITING)
        axes.text(-0.14, 1.05, "measured / predicted", transform=axes.transAxes, **plot.WRITING)
        for ratio, dash in ((1 / FACTOR, ":"), (1, "-"), (FACTOR, ":")):
            axes.axhline(ratio, color=plot.QUIET, linewidth=1.0, linestyle=dash)
        self.ratios = [self._marks(axes, look) for look in LOOKS]
        place = {"transform": axes.get_yaxis_transform(), "ha": "center", "va": "center"}
        self.none = axes.text(0.5, 2.8, "no run yet", fontsize=plot.TEXT, color=plot.QUIET, **place)

    @staticmethod
    def _marks(axes, look):
        style = {"color": look.colour, "markersize": 8, "markeredgecolor": "white", "clip_on": False}
        return axes.plot([], [], look.mark, **style)[0]

    def paint(self, state: State) -> Image:
        """Paint a state."""
        chosen = SAMPLERS.index(state.setting.sampler)
        self.cursor.set_xdata([state.setting.size] * 2)
        self.here.set_data([state.setting.size], [state.predicted])
        self.here.set_markeredgecolor(LOOKS[chosen].colour)
        for number, name in enumerate(SAMPLERS):
            self.lines[number].set_data(SIZES, state.curves[number])
            self.lines[number].set_linewidth(3.0 if number == chosen else 1.2)
            mine = [(place, run) for place, run in enumerate(state.runs, 1) if run.sampler == name]
            here = [run for _, run in mine if common(run.setting) == common(state.setting)]
            self.measured[number].set_data([run.size for run in here], [run.measured for run in here])
            ratios = np.clip([run.measured / run.predicted for _, run in mine], 1 / LIMIT, LIMIT)
            self.ratios[number].set_data([place for place, _ in mine], ratios)
        last = state.last
        setting, measured = state.setting, "" if last is None else f" · measured {words(last.measured)}"
        self.says.set_text(f"{setting.model}, {size(setting)}: predicted {words(state.predicted)}{measured}")
        self.none.set_visible(not state.runs)
        return self.canvas.pixels()
