"""The figure of page 16: the time per message in each model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ... import plot
from ...plot.figure import Figure

WIDTH = 680
ROW = 26  # height of a row in pixels
PMP, EXACT = plot.METHODS["PMP"].colour, plot.METHODS["exact"].colour


def message_figure(nanoseconds: Mapping[str, float], copy: float) -> Figure:
    """Draw the nanoseconds per message in each model, and a line at the time to copy one message.

    Args:
        nanoseconds: name of a model -> nanoseconds per directed message.
        copy: nanoseconds to copy one message of 4 bytes.

    Returns: an image for the page.
    """
    canvas, axes = _rows(list(nanoseconds))
    values = np.array(list(nanoseconds.values()))
    _dots(axes, values, [f"{value:.2g} ns" for value in values], copy)
    axes.axvline(copy, color=EXACT, linewidth=1.6)
    label = {"textcoords": "offset points", "xytext": (4, 3), "fontsize": 10, "color": EXACT}
    axes.annotate(f"copy of one message: {copy:.2g} ns", (copy, len(values) - 0.1), **label)
    axes.set_ylim(len(values) + 0.1, -0.6)  # below the last row, where no dot is
    _limits(axes, np.append(values, copy))
    axes.set_xlabel("nanoseconds per message", fontsize=11, color=plot.INK)
    return Figure(canvas.png(), WIDTH, "nanoseconds for a message in each model, beside a copy of one message")


def middle(times) -> float:
    """Return the median of the finite times. It is NaN if no round gave a reliable time."""
    values = np.asarray(times, float)
    values = values[np.isfinite(values)]
    return float(np.median(values)) if values.size else float("nan")


def _limits(axes, values) -> None:
    """Set the limits of the horizontal axis (half the smallest finite value, 4 times the largest) and its numbers.

    On less than two decades, Matplotlib would label 2, 3, 4 and 6 as well, one over the other.
    """
    known = values[np.isfinite(values)]
    if known.size:
        low, high = known.min() / 2, known.max() * 4
        steps = np.outer(10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high)), [1, 2, 5]).reshape(-1)
        axes.set_xticks(steps[(steps >= low) & (steps <= high)])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set_xlim(low, high)


def _rows(names: list[str]):
    """Return a canvas and axes with a row for each name and a logarithmic horizontal axis."""
    height = ROW * len(names) + 90
    canvas = plot.Canvas(WIDTH, height)
    axes = canvas.axes(0.34, 52 / height, 0.63, (ROW * len(names) + 12) / height)
    axes.set_xscale("log")
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color="#EEEEEE", linewidth=0.8)
    axes.set_axisbelow(True)
    return canvas, axes


def _dots(axes, values, words: list[str], copy: float) -> None:
    """Draw a dot and its value in each row, away from the line at `copy`. A row without a reliable time gets a note."""
    for row, (value, word) in enumerate(zip(values, words, strict=True)):
        if not np.isfinite(value):
            place = {"transform": axes.get_yaxis_transform(), "fontsize": 10, "color": plot.QUIET, "va": "center"}
            axes.text(0.02, row, "machine too busy to tell: run the cell again", **place)
            continue
        axes.plot([value], [row], "o", color=PMP, markersize=8)
        side, align = (-8, "right") if value < copy else (8, "left")
        axes.annotate(
            word, (value, row), textcoords="offset points", xytext=(side, -4), ha=align, fontsize=10, color=plot.INK
        )
