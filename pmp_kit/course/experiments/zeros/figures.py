"""The figures of Section 5.3: sample quality against sweeps (Figure 1, right), and samples (Figure 4)."""

from __future__ import annotations

import numpy as np

from ....measures.errors import mean_and_error
from ... import plot
from ...plot import pixels
from ...plot.figure import Figure

WIDTH, HEIGHT = 900, 360
SIDE, GAP, NAME = 90, 6, 190  # in pixels: side of a sample, gap between samples, width of a row's name
TICKS = (5, 10, 25, 50, 100)
LEAST = 0.1  # lower limit on the logarithmic axis, because a U-statistic can be negative


def quality(tested: dict[str, list[dict]], floor: dict, alone: dict) -> Figure:
    """Draw Figure 1, right: the authors' metric and MMD^2 to held-out images against sweeps, and MMD^2 against time.

    Args:
        tested: method -> one result of `learn.test` per seed.
        floor: the result of `learn.floor`.
        alone: the result of `learn.judge` for independent pixels.

    Returns:
        An image for the page.
    """
    canvas = plot.Canvas(WIDTH, HEIGHT)
    panels = [canvas.axes(left, 0.15, 0.225, 0.66) for left in (0.055, 0.36, 0.665)]
    titles = "log MMD², the authors' metric", "MMD² × 1000, held out, scale 10", "the same against time"
    for axes, title in zip(panels, titles, strict=True):
        axes.set_title(title, fontsize=11, color=plot.INK, loc="left")
        axes.set_xscale("log")
        axes.set_xlabel("sweeps", fontsize=11, color=plot.INK)
    for axes in panels[1:]:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("")
    for axes in panels[:2]:
        axes.set_xticks(TICKS, [str(sweeps) for sweeps in TICKS])
        axes.set_xticks([], minor=True)
    panels[2].set_xlabel("milliseconds a sample", fontsize=11, color=plot.INK)
    for method, runs in tested.items():
        _lines(panels, method, runs)
    looks = {method: _look(method) for method in tested}
    rows = {"perfect sampler": (floor, plot.METHODS["data"].colour), "independent pixels": (alone, plot.QUIET)}
    for name, (row, colour) in rows.items():
        looks[name] = {"color": colour, "linewidth": 1.4, "linestyle": ":"}
        for axes, value in zip(panels, (row["log MMD^2"], *[max(1000 * row["kept out"][1], LEAST)] * 2), strict=True):
            axes.axhline(value, **looks[name])
    _names(canvas, looks)
    return Figure(canvas.png(), canvas.width, "MMD squared of each method against sweeps and time")


def _lines(panels, method: str, runs: list[dict]) -> None:
    """Draw one method in all panels: the mean over seeds, and a band of one standard error."""
    look = _look(method)
    authors = np.array([run["log MMD^2"] for run in runs])
    honest = np.array([1000 * run["kept out"][:, 1] for run in runs])
    time = 1000 * np.array(TICKS) * runs[0]["seconds a sweep"]
    rows = (TICKS, authors, -np.inf), (TICKS, honest, LEAST), (time, honest, LEAST)
    for axes, (x, values, least) in zip(panels, rows, strict=True):
        _line(axes, x, values, least, look)


def _line(axes, x, values: np.ndarray, least: float, look: dict) -> None:
    """Draw the mean over seeds with its band, cut off below `least`."""
    mean, error = mean_and_error(values.T)
    if error is not None:
        band = np.maximum(mean - error, least), np.maximum(mean + error, least)
        axes.fill_between(x, *band, color=look["color"], alpha=0.2, linewidth=0)
    axes.plot(x, np.maximum(mean, least), **look)


def _look(method: str) -> dict:
    """Return the style of a method. Methods whose chains are reset in each learning step are dashed and hollow."""
    base, _, kind = method.partition(", ")
    style = plot.METHODS[base]
    afresh = kind == "reset" or method == "PMP"
    return {
        "color": style.colour,
        "marker": style.mark,
        "markersize": 5,
        "linewidth": 1.4,
        "linestyle": "--" if afresh and base != "PMP" else ("-" if base != "PMP" or afresh else "-."),
        "markerfacecolor": "white" if kind else style.colour,
    }


def _names(canvas, looks: dict[str, dict]) -> None:
    """Draw the legend above the panels, because names beside the lines would lie on curves."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=name, **look) for name, look in looks.items()]
    canvas.figure.legend(
        handles=handles, loc="upper center", ncol=4, fontsize=9, frameon=False, handlelength=2.6,
        columnspacing=1.1, borderaxespad=0.1,
    )  # fmt: skip


def samples(rows: dict[str, np.ndarray], columns: int = 12) -> Figure:
    """Draw a row of images for each name: Figure 4, middle.

    Args:
        rows: name -> images (N, height, width) of 0 and 1.
        columns: number of images in a row.
    """
    side = next(iter(rows.values())).shape[1]
    cell = max(1, SIDE // side)
    height = cell * side + 2 + GAP
    width = NAME + columns * height
    canvas = plot.Canvas(int(width / 1.5), int(height * len(rows) / 1.5))
    for number, name in enumerate(rows):
        place = 0.0, 1 - (number + 0.5) / len(rows)
        canvas.figure.text(*place, name.replace(", ", ",\n"), fontsize=11, color=plot.INK, va="center")
    sheet = np.full((height * len(rows), width, 3), pixels.WHITE, np.uint8)
    words = canvas.pixels()[: sheet.shape[0], :NAME]
    sheet[: words.shape[0], :NAME] = words
    for number, images in enumerate(rows.values()):
        shown = pixels.sheet(images[:columns].astype(int), cell, columns, GAP)
        pixels.paste(sheet, shown, number * height, NAME)
    return Figure(plot.png(sheet), canvas.width, "samples: " + ", ".join(rows))
