"""Two figures of page 06: the learned theta as Gibbs distribution and in PMP, and what first messages do."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot.figure import Figure
from . import compute

DATA_THETA, SEED = 0.5, 0
PMP, GIBBS, DATA = (plot.METHODS[name].colour for name in ("PMP", "Gibbs", "exact"))
ROWS = {"Gibbs": GIBBS, "PMP, messages start at 0": PMP, "PMP, messages start at w/2": PMP}


def shares(theta: float) -> dict[str, np.ndarray]:
    """Return the probabilities of 0 to 4 spins up: of the Gibbs distribution, and of PMP from either start."""
    tables = [compute.pmp_table(start, SEED)[-1] for start in compute.STARTS]
    pmp = [compute.interpolate(table, theta) for table in tables]
    return dict(zip(ROWS, [compute.gibbs(theta), *pmp], strict=True))


def distances(theta: float) -> Figure:
    """Draw the KL divergence of the data from each of `shares`, and the error of the estimates from samples."""
    canvas, data = plot.Canvas(680, 210), compute.gibbs(DATA_THETA)
    axes = canvas.axes(0.32, 0.25, 0.62, 0.6)
    axes.set_xscale(**plot.ROOT_SCALE)
    axes.set(xlim=(0, 0.2), ylim=(2.6, -0.6))
    axes.set_xticks([0, 0.001, 0.01, 0.05, 0.1, 0.2], ["0", "0.001", "0.01", "0.05", "0.1", "0.2"])
    axes.set_yticks(range(3), list(ROWS))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("KL from the data, in nats (square-root scale)", **plot.WRITING)
    canvas.write(6, 20, f"theta = {theta:.2f} as a Gibbs distribution, and in PMP")
    noise = (len(compute.WAYS) - 1) / 2 / compute.DRAWS  # mean KL of as many exact samples
    axes.axvspan(0, noise, color=plot.BAND, linewidth=0)
    for row, (name, q) in enumerate(shares(theta).items()):
        value = float(compute.kl(data, q))
        axes.hlines(row, 0, value, color=ROWS[name], linewidth=16)
        axes.annotate(
            f"{value:.4f}" if value < 0.001 else f"{value:.3f}", (max(value, noise), row), (6, 0), va="center",
            textcoords="offset points", **plot.WRITING,
        )  # fmt: skip
    return Figure(canvas.png(), canvas.width, f"KL from the data of theta {theta:.2f} as Gibbs distribution and in PMP")


def first_message(theta: float) -> Figure:
    """Draw the range of a message with both starts, and how often all spins are down and up."""
    canvas = plot.Canvas(680, 210)
    range_, bars = canvas.axes(0.0, 0.25, 0.4, 0.6), canvas.axes(0.55, 0.25, 0.42, 0.6)
    canvas.write(6, 20, "where a message can be")
    range_.set(xlim=(-0.3, 1.3), ylim=(-1, 1), yticks=[])
    range_.set_xticks([0, 0.5, 1], ["0", "w/2", "w"])
    range_.spines[["left", "bottom"]].set_visible(False)
    range_.plot([0, 1], [0, 0], color=plot.FAINT, linewidth=10, solid_capstyle="butt")
    for place, word in ((0, "favours down"), (0.5, "neither"), (1, "favours up")):
        range_.plot([place], [0], "o", color=PMP if place < 1 else plot.FAINT, markersize=13)
        range_.text(place, 0.35, word, ha="center", **plot.WRITING)
    rows = {"data": compute.gibbs(DATA_THETA)} | {name: q for name, q in shares(theta).items() if name != "Gibbs"}
    canvas.write(330, 20, "share of samples: all spins down, all spins up")
    bars.set(xlim=(0, 0.6), ylim=(2.6, -0.6), xticks=[0, 0.2, 0.4, 0.6])
    bars.set_yticks(range(3), ["data", "start at 0", "start at w/2"])
    bars.tick_params(axis="y", length=0)
    for row, (name, q) in enumerate(rows.items()):
        for share, side, word in ((q[0], -0.2, "down"), (q[-1], 0.2, "up")):
            bars.hlines(row + side, 0, share, color=DATA if name == "data" else PMP, linewidth=9)
            words = f"{share:.2f} {word}"
            bars.annotate(
                words, (share, row + side), (5, 0), va="center", textcoords="offset points", fontsize=plot.TEXT - 1
            )
    words = "The range of a message, and the shares of all spins down and all spins up for the data and for both starts"
    return Figure(canvas.png(), canvas.width, words)
