"""The picture of the noise ribbon: samples side by side, the noise of three spins below them, one sample large."""

from __future__ import annotations

import numpy as np

from ... import plot
from ...plot.pixels import Image
from .compute import SIDE, STEPS, State

WIDTH, HEIGHT = 640, 400
SPINS = (9, 27, 44)
"""The spins whose noise is drawn."""
LINES = ((plot.INK, "-"), (plot.QUIET, "--"), ("#9A9A9A", "-"))  # their colours and dashes
REACH = 6.0  # nats


def colours(states: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Colour states: black for up, white for down, red where a state is not the reference. (..., 3) uint8."""
    grey = np.where(states, 40, 245).astype(np.uint8)
    return np.where((states != reference)[..., None], plot.rgb(plot.WRONG), grey[..., None])


class Painter:
    """A figure in which the ribbon, the lines, the lattice and the mark of the step change."""

    def __init__(self):
        self.canvas = plot.Canvas(WIDTH, HEIGHT)
        span = (-0.5, STEPS + 0.5)
        axes = self.canvas.axes(0.075, 0.40, 0.60, 0.52)
        axes.set(xlim=span, xticklabels=[], yticks=[])
        axes.text(0, 1.03, "64 spins, one column a sample", transform=axes.transAxes, **plot.WRITING)
        blank = np.zeros((SIDE * SIDE, STEPS + 1, 3), np.uint8)
        place = {"extent": (*span, SIDE * SIDE, 0), "aspect": "auto", "interpolation": "nearest"}
        self.ribbon = axes.imshow(blank, **place)
        axes.set_xlim(*span)
        self.marks = [self.canvas.cursor(axes)]
        axes = self.canvas.axes(0.075, 0.13, 0.60, 0.21)
        axes.set(xlim=span, ylim=(-REACH, REACH), yticks=[-5, 0, 5])
        axes.set_xlabel("step", **plot.WRITING)
        axes.set_ylabel("noise, nats", **plot.WRITING)
        axes.text(0, 1.04, "the noise of three of them", transform=axes.transAxes, **plot.WRITING)
        self.lines = [axes.plot([], [], dash, color=colour, linewidth=1.4)[0] for colour, dash in LINES]
        self.marks.append(self.canvas.cursor(axes))
        axes = self.canvas.axes(0.72, 0.40, 0.26, 0.26 * WIDTH / HEIGHT)
        axes.set(xticks=[], yticks=[])
        self.lattice = axes.imshow(np.zeros((SIDE, SIDE, 3), np.uint8), interpolation="nearest")
        self.head = axes.text(0, 1.03, "", transform=axes.transAxes, **plot.WRITING)
        self.says = [
            axes.text(0, y, "", transform=axes.transAxes, fontsize=plot.TEXT, va="top") for y in (-0.08, -0.2, -0.32)
        ]
        self.says[2].set_color(plot.WRONG)
        self.canvas.moving(self.ribbon, *self.marks, *self.lines, self.lattice, self.head, *self.says)

    def paint(self, state: State) -> Image:
        """Paint a state."""
        chain, step = state.chain, state.step
        pixels = colours(chain.states, chain.reference)
        self.ribbon.set_data(pixels.transpose(1, 0, 2))
        self.lattice.set_data(pixels[step].reshape(SIDE, SIDE, 3))
        for line, spin in zip(self.lines, SPINS, strict=True):
            line.set_data(np.arange(STEPS + 1), np.clip(chain.noise[:, spin], -REACH, REACH))
        for mark in self.marks:
            mark.set_xdata([step, step])
        self.head.set_text(f"the sample of step {step}")
        self.says[0].set_text(f"a step changes {100 * chain.changed:.1f} %")
        self.says[1].set_text(f"correlation of u {state.rho**0.5:.2f}")
        self.says[2].set_text(f"changed later: {100 * chain.early:.1f} %")
        return self.canvas.pixels()
