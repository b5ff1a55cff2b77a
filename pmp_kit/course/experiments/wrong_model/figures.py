"""Pictures of Section 5.1: the coupling after each step of training, and how many spins are up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import plot
from ...plot.figure import Figure
from .learn import LEARNED, THETA

WIDTH, HEIGHT = 820, 320
LOOKS = {
    "data": (plot.METHODS["data"].colour, "o", ""),
    "PMP, messages from zero": (plot.METHODS["PMP"].colour, plot.METHODS["PMP"].mark, "white"),
    "PMP, messages from w/2": (plot.METHODS["PMP"].colour, plot.METHODS["PMP"].mark, ""),
    "Gibbs": (plot.METHODS["Gibbs"].colour, plot.METHODS["Gibbs"].mark, ""),
}


def figure(paths: Sequence[np.ndarray], ups: dict[str, np.ndarray]) -> Figure:
    """Draw the coupling after each step of training, one curve a seed, and the number of spins that are up.

    Args:
        paths: for each seed, the coupling after each step.
        ups: name in LOOKS -> probability of 0 to 4 spins up, (5,).

    Returns: an image for the page.
    """
    canvas = plot.Canvas(WIDTH, HEIGHT)
    left, right = canvas.axes(0.08, 0.17, 0.36, 0.70), canvas.axes(0.57, 0.17, 0.41, 0.70)
    for path in paths:
        left.plot(np.arange(1, len(path) + 1), path, color=plot.METHODS["PMP"].colour, linewidth=1.2, alpha=0.7)
    for value, words, above in ((THETA, "true coupling", 4), (LEARNED, "the paper's result", 8)):
        left.axhline(value, color=plot.METHODS["exact"].colour, linewidth=1, linestyle="-" if value == THETA else ":")
        left.annotate(f"{words}, {value}", (4, value), (0, above), textcoords="offset points", fontsize=11)
    left.set(ylim=(0, 0.6))
    left.set_xlabel("step of Adam", fontsize=11, color=plot.INK)
    left.set_title("learned coupling", fontsize=12, color=plot.INK, loc="left")
    for k, (name, values) in enumerate(ups.items()):
        colour, mark, fill = LOOKS[name]
        place = np.arange(5) + 0.16 * (k - 1.5)
        right.vlines(place, 0, values, color=colour, linewidth=1.5)
        right.plot(place, values, mark, color=colour, markerfacecolor=fill or colour, markersize=6, label=name)
    right.set(ylim=(0, None), xticks=range(5))
    right.set_xlabel("spins that are up", fontsize=11, color=plot.INK)
    right.set_title(f"probability, at theta {LEARNED}", fontsize=12, color=plot.INK, loc="left")
    right.legend(frameon=False, fontsize=11, loc="upper center")
    return Figure(canvas.png(), canvas.width, "The learned coupling after each step, and how many spins are up")
