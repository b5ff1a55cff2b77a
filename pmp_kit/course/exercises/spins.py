"""Pictures of two or three spins, the given answer at the left and the right one at the right. Wrong parts are red."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import plot
from .picture import TEXT, WRONG, Picture, number

PLACES = {2: np.array([[45.0, 60.0], [215.0, 60.0]]), 3: np.array([[130.0, 35.0], [38.0, 165.0], [222.0, 165.0]])}
"""Number of spins -> x and y of each in a panel, in CSS pixels."""
WIDTH, HEIGHTS, GAP, TOP = 260, {2: 110, 3: 205}, 24, 28  # of a panel
RADIUS, ASIDE, BESIDE = 18.0, 8.0, 28.0  # of a spin; distance of an arrow and of its number from the line


@dataclass(frozen=True, eq=False)
class Spins(Picture):
    """Two panels of spins with their numbers. A subclass draws what is judged."""

    def paint(self) -> plot.Canvas:
        width, height, places = WIDTH, HEIGHTS[len(self.given)], PLACES[len(self.given)]
        canvas = plot.Canvas(2 * width + GAP, height + TOP)
        for side, values in enumerate((self.given, self.expected)):
            left = side * (width + GAP)
            canvas.write(left + 8, 18, self.heads[side], fontsize=TEXT, weight="bold")
            axes = canvas.axes(left / canvas.width, 0, width / canvas.width, height / canvas.height)
            axes.set(xlim=(0, width), ylim=(height, 0))
            axes.axis("off")
            self.draw(axes, places, values, self.wrong & (side == 0))
        return canvas

    def draw(self, axes, places: np.ndarray, values: np.ndarray, wrong: np.ndarray) -> None:
        """Draw one panel."""
        raise NotImplementedError


class Arrows(Spins):
    """Messages (n, n): an arrow from i to j with the value of [i, j]. One from a spin to itself is shown if wrong."""

    def draw(self, axes, places, values, wrong):
        for i, (x, y) in enumerate(places):
            _spin(axes, x, y, wrong[i, i])
            axes.text(x, y, str(i), ha="center", va="center_baseline", fontsize=TEXT)
            if wrong[i, i]:
                axes.text(x + RADIUS + 4, y - RADIUS, f"✗ {number(values[i, i])}", fontsize=TEXT, color=WRONG)
        for i, j in zip(*np.nonzero(1 - np.eye(len(places))), strict=True):
            start, end = places[i], places[j]
            along = (end - start) / np.hypot(*(end - start))
            aside = np.array([-along[1], along[0]])
            colour = WRONG if wrong[i, j] else plot.INK
            ends = start + RADIUS * along + ASIDE * aside, end - RADIUS * along + ASIDE * aside
            _arrow(axes, *ends, colour, 3.0 if wrong[i, j] else 1.5)
            x, y = (start + end) / 2 + BESIDE * aside
            words = f"✗ {number(values[i, j])}" if wrong[i, j] else number(values[i, j])
            axes.text(x, y, words, ha="center", va="center_baseline", fontsize=TEXT, color=colour)


class States(Spins):
    """States (n,): a black square for 1, a white one for 0, and the number itself for anything else."""

    def draw(self, axes, places, values, wrong):
        from matplotlib.patches import Rectangle

        for i, (x, y) in enumerate(places):
            _spin(axes, x, y, wrong[i])
            axes.text(x, y + RADIUS + 12, str(i), ha="center", va="center_baseline", fontsize=TEXT, color=plot.QUIET)
            if values[i] in (0, 1):
                fill = "black" if values[i] else "white"
                axes.add_patch(Rectangle((x - 7, y - 7), 14, 14, facecolor=fill, edgecolor=plot.INK, zorder=3))
            else:
                axes.text(x, y, number(values[i]), ha="center", va="center_baseline", fontsize=TEXT)


def _spin(axes, x: float, y: float, wrong: bool) -> None:
    from matplotlib.patches import Circle

    edge, width = (WRONG, 3.0) if wrong else (plot.INK, 1.2)
    axes.add_patch(Circle((x, y), RADIUS, facecolor="white", edgecolor=edge, linewidth=width, zorder=2))


def _arrow(axes, start: np.ndarray, end: np.ndarray, colour: str, width: float) -> None:
    from matplotlib.patches import FancyArrowPatch

    look = {"color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0, "zorder": 1}
    axes.add_patch(FancyArrowPatch(tuple(start), tuple(end), arrowstyle="-|>", mutation_scale=14, **look))
