"""The picture of a tuned model: the loss of each candidate against the time of a call."""

from __future__ import annotations

from typing import Any

import numpy as np

from .canvas import Canvas
from .figure import Figure
from .style import FAINT, INK, METHODS, QUIET, WRITING

WIDTH, HEIGHT = 680, 340
DEFAULTS = "PMP()"


def tuned_figure(tuned: Any) -> Figure:
    """Draw the loss of each candidate against the time of a call, the chosen one and the defaults in colour.

    The bands are standard errors. The dashed line is the target, and the marks are where it is reached. A single curve
    gets a note that the budget ended.

    Args:
        tuned: the result of `pk.tune`.

    Returns: an image for the page, whose `.data` is the PNG.
    """
    canvas = Canvas(WIDTH, HEIGHT)
    axes = canvas.axes(62 / WIDTH, 50 / HEIGHT, (WIDTH - 80) / WIDTH, (HEIGHT - 86) / HEIGHT)
    best, *others = tuned.curves
    for curve in others:
        if curve.name != DEFAULTS:
            axes.plot(1e3 * curve.seconds, curve.loss, color=FAINT, linewidth=1)
    shown = [(curve, QUIET) for curve in others if curve.name == DEFAULTS] + [(best, METHODS["PMP"].colour)]
    for curve, colour in shown:
        milliseconds = 1e3 * curve.seconds
        axes.fill_between(
            milliseconds, curve.loss - curve.error, curve.loss + curve.error, color=colour, alpha=0.2, linewidth=0
        )
        axes.plot(milliseconds, curve.loss, color=colour, linewidth=2)
        if curve.reached is not None:
            axes.plot([1e3 * curve.time], [curve.loss[curve.reached]], "o", color=colour, markersize=8)
    axes.axhline(tuned.target, color=INK, linewidth=1, linestyle="--")
    _logarithmic(axes, tuned)
    axes.set_xlabel(f"milliseconds for a call with {tuned.num_samples} samples", **WRITING)
    axes.set_ylabel("loss", **WRITING)
    _legend(canvas, shown)
    number = len(tuned.curves)
    if number == 1:
        note = {"transform": axes.transAxes, "ha": "right", "va": "top"}
        axes.text(0.99, 0.97, "The budget ended before a second setting was measured.", **note, **WRITING)
    settings = "settings" if number > 1 else "setting (the budget ended)"
    words = f"loss against time of {number} {settings}; {best.name} reaches the target in {1e3 * best.time:.3g} ms"
    return Figure(canvas.png(), WIDTH, words)


def _logarithmic(axes, tuned: Any) -> None:
    """Give both axes logarithmic scales with plain numbers. Losses below a fourth of the target lie under the edge."""
    from matplotlib.ticker import LogLocator

    times = 1e3 * np.concatenate([curve.seconds for curve in tuned.curves])
    axes.set(xscale="log", yscale="log", xlim=(0.9 * times.min(), 1.1 * times.max()))
    axes.set_ylim(max(tuned.target, 1e-3) / 4, 1.3 * max(1.0, *(curve.loss.max() for curve in tuned.curves)))
    for axis, steps in ((axes.xaxis, (1, 2, 5)), (axes.yaxis, (1,))):
        axis.set_major_locator(LogLocator(subs=steps))
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(lambda value, _: "")


def _legend(canvas: Canvas, shown) -> None:
    """Write the names of the curves in colour above the axes, the chosen one first."""
    for row, (curve, colour) in enumerate(reversed(shown)):
        name = curve.name if len(curve.name) < 76 else f"{curve.name[:75]}…"
        canvas.write(62, 18 + 17 * row, f"{name}{' (defaults)' if curve.name == DEFAULTS else ''}", color=colour)
