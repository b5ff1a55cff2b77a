"""Counterparts of Figures 2 and 5: sample quality and error of the couplings against sweeps or updates. Also sample
quality of persistent PMP against the sweeps of a learning step (Appendix A).
"""

from __future__ import annotations

import numpy as np

from ....measures.errors import mean_and_error
from ... import plot
from ...plot.figure import Figure
from .learn import METHODS
from .tables import over_seeds, sd

WIDTH, HEIGHT = 680, 430
SHORT = {"PMP": "PMP", "Gibbs": "Gibbs", "Gibbs-with-gradients": "GWG"}
NUMBERS = {"log_mmd": "log MMD² from data held out", "rmse": "RMSE of W"}


def structured_figure(results: list[dict], beside: dict[str, dict], xlabel: str) -> Figure:
    """Draw two panels for each graph: log MMD^2 (the paper's metric, on held-out data) and the error of W.

    MMD is the maximum mean discrepancy. The error of W is the root mean square error (RMSE).

    Args:
        results: for each seed, (graph, method, x) -> a result of `learn.run`. The first seed has all methods.
        beside: graph -> a result of `learn.references`, drawn as horizontal lines.
        xlabel: the name of x.

    Returns: an image for the page; bands are standard errors over seeds.
    """
    canvas = plot.Canvas(WIDTH, HEIGHT)
    for column, graph in enumerate(beside):
        upper, lower = (canvas.axes(0.08 + 0.5 * column, bottom, 0.38, 0.34) for bottom in (0.57, 0.12))
        for axes, (number, words) in zip((upper, lower), NUMBERS.items(), strict=True):
            axes.set_xscale("log")
            axes.text(0, 1.05, f"{graph}: {words}", transform=axes.transAxes, fontsize=11, color=plot.INK)
            draw_curves(axes, results, graph, number)
        upper.margins(y=0.12)
        draw_references(upper, beside[graph])
        lower.set_ylim(0, 1.1 * lower.get_ylim()[1])
        lower.set_xlabel(xlabel, fontsize=11, color=plot.INK)
        lower.legend(handles=upper.get_lines(), frameon=False, fontsize=10, labelcolor="linecolor", loc="best")
    return Figure(canvas.png(), WIDTH, "log MMD squared and error of the couplings of each method against " + xlabel)


def warm_figure(results: dict[tuple, dict]) -> Figure:
    """Draw the distance of the samples from new data against the sweeps of a learning step, for each rho.

    Args:
        results: (rho, sweeps) -> a result of `learn.run`, as `learn.warm` returns it. rho is None for PMP.

    Returns: an image for the page.
    """
    canvas, style = plot.Canvas(WIDTH, 330), plot.METHODS["PMP"]
    axes = canvas.axes(0.10, 0.17, 0.52, 0.70)
    axes.set(xscale="log", yscale="log")
    sweeps = sorted({number for _, number in results})
    lines = dict(zip(dict.fromkeys(rho for rho, _ in results), ("-", "--", ":"), strict=True))
    for rho, line in lines.items():
        words = "fresh noise and messages" if rho is None else f"persistent, rho {rho}"
        values = [sd(results[rho, number]) for number in sweeps]
        fill = style.colour if rho is None else "white"
        axes.plot(sweeps, values, style.mark + line, color=style.colour, markerfacecolor=fill, label=words)
    axes.set_xticks(sweeps, [str(number) for number in sweeps])
    axes.set_xticks([], minor=True)
    axes.set_ylim(10, None)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("sweeps in each step of learning", fontsize=11, color=plot.INK)
    axes.set_title("sd from new data, scale 10", fontsize=11, color=plot.INK, loc="left")
    axes.legend(frameon=False, fontsize=11, loc="center left", bbox_to_anchor=(1.02, 0.5))
    return Figure(canvas.png(), WIDTH, "Distance from new data of PMP and of persistent PMP, against sweeps")


def draw_curves(axes, results: list[dict], graph: str, number: str) -> None:
    """Draw a curve for each method, with a label for the legend."""
    places = sorted({x for g, _, x in results[0] if g == graph})
    for method in METHODS:
        style = plot.METHODS[method]
        there = [x for x in places if (graph, method, x) in results[0]]
        if not there:
            continue
        found = [mean_and_error([run[number] for run in over_seeds(results, (graph, method, x))]) for x in there]
        middle, error = np.array([(mean, error or 0.0) for mean, error in found]).T
        look = {"color": style.colour, "linewidth": 1.8, "markersize": 5, "label": SHORT[method]}
        axes.plot(there, middle, style.mark + "-", **look)
        axes.fill_between(there, middle - error, middle + error, color=style.colour, alpha=0.25, linewidth=0)
    axes.set_xticks(places, [f"{x:g}" for x in places])
    axes.minorticks_off()
    axes.set_xlim(places[0] / 1.2, places[-1] * 1.2)


def draw_references(axes, beside: dict[str, dict]) -> None:
    """Draw lines at log MMD^2 of real data and of a model without couplings."""
    for (name, result), line in zip(beside.items(), ("-", ":"), strict=True):
        colour = plot.METHODS["exact"].colour
        axes.axhline(result["log_mmd"], color=colour, linestyle=line, linewidth=1, label=name)
