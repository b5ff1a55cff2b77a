"""The figures of Section 5.2: errors of log Z on lattices and on random models (Figure 1, left and centre)."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot import labels
from ...plot.figure import Figure
from .paper_rows import over_runs

WIDTH, HEIGHT = 820, 330
PMP, EXACT, MPLP = plot.METHODS["PMP"].colour, plot.TRUE, plot.readable(plot.METHODS["MPLP"].colour)
CENTRE = {
    "dual": ("MPLP, dual", MPLP, "P", "--"),
    "exact": ("exact MAP", EXACT, "s", "--"),
    "kit": ("PMP, the kit's", PMP, "o", "-"),
    "last": ("PMP, last state", PMP, "o", ":"),
    "mplp": ("MPLP, primal", MPLP, "P", ":"),
}


def figure_1_left(runs: dict[str, list[dict]]) -> Figure:
    """Draw the error of log Z on lattices of several sides. The curves of PMP and MPLP coincide above zero.

    Args:
        runs: name of the coupling -> one result of `log_partition.lattices` per side, with "side" added.

    Returns: an image for the page.
    """
    canvas = plot.Canvas(WIDTH, HEIGHT)
    for left, (name, each) in zip((0.08, 0.58), runs.items(), strict=True):
        axes = canvas.axes(left, 0.17, 0.30, 0.66)
        axes.set_title(f"lattice, J {name}", fontsize=12, color=plot.INK, loc="left")
        sides = [run["side"] for run in each]
        axes.set_xlabel("side", fontsize=11, color=plot.INK)
        axes.set_ylabel("error of log Z, in nats", fontsize=11, color=plot.INK)
        axes.set_xticks(sides)
        axes.axhline(0, color=EXACT, linewidth=1)
        looks = {"mplp": ("MPLP", MPLP, "P", ":", 9), "pmp": ("PMP", PMP, "o", "-", 5)}
        for key, (words, colour, mark, line, size) in looks.items():
            values = [over_runs([run[key]]) for run in each]
            _curve(axes, sides, values, colour, mark, line, size)
            axes.annotate(words, (sides[-1], values[-1][0]), (9, 6 if key == "mplp" else -6), fontsize=11, color=colour,
                          textcoords="offset points", va="center", annotation_clip=False)  # fmt: skip
    return Figure(canvas.png(), canvas.width, "Error of log Z on lattices, PMP and MPLP")


def figure_1_centre(studies: dict[int, list[dict]]) -> Figure:
    """Draw the error of log Z on random models: all methods, and an enlarged panel of those near zero.

    Args:
        studies: number of spins -> one result of `log_partition.random_models` per seed.

    Returns: an image for the page.
    """
    canvas, sizes = plot.Canvas(WIDTH, HEIGHT), list(studies)
    for left, title, names in ((0.08, "all", list(CENTRE)), (0.58, "near zero", ["exact", "kit", "last"])):
        axes = canvas.axes(left, 0.17, 0.27, 0.66)
        axes.set_title(f"random models, {title}", fontsize=12, color=plot.INK, loc="left")
        axes.set_xlabel("spins", fontsize=11, color=plot.INK)
        axes.set_ylabel("error of log Z, in nats", fontsize=11, color=plot.INK)
        axes.set_xticks(sizes)
        axes.axhline(0, color=EXACT, linewidth=1)
        ends = {}
        for name in names:
            _, colour, mark, line = CENTRE[name]
            values = [over_runs([run[name] for run in runs]) for runs in studies.values()]
            _curve(axes, sizes, values, colour, mark, line, 5)
            ends[name] = values[-1][0]
        _names(axes, sizes[-1], ends)
    return Figure(canvas.png(), canvas.width, "Error of log Z on random models: PMP, MPLP and the exact MAP")


def _curve(axes, places, values, colour, mark, line, size) -> None:
    """Draw a curve with a band of one standard error."""
    mean, error = np.array(values).T
    axes.plot(places, mean, line, marker=mark, color=colour, markersize=size, linewidth=1.5)
    axes.fill_between(places, mean - error, mean + error, color=colour, alpha=0.2, linewidth=0)


def _names(axes, place: float, ends: dict[str, float]) -> None:
    """Write the names of the curves at their right ends, and move labels apart that would overlap."""
    low, high = axes.get_ylim()
    heights = labels.apart(list(ends.values()), 0.085 * (high - low))
    for name, height in zip(ends, heights, strict=True):
        axes.annotate(CENTRE[name][0], (place, height), (9, 0), textcoords="offset points", va="center", fontsize=11,
                      color=CENTRE[name][1], annotation_clip=False)  # fmt: skip
