"""The picture of the energy table: the factor graph at the left, one row for each state at the right."""

from __future__ import annotations

import itertools

import numpy as np

from ... import plot
from ...plot import numerals
from ...plot.pixels import Image
from .compute import State

WIDTH, HEIGHTS = 640, {2: 260, 3: 300, 4: 390}
BAR, MODE = "#A6A6A6", plot.METHODS["exact"].colour
PLACES = {
    2: np.array([[-0.66, -0.1], [0.66, -0.1]]),
    3: np.array([[0.0, 0.52], [-0.68, -0.56], [0.68, -0.56]]),
    4: np.array([[-0.6, 0.6], [0.6, 0.6], [-0.6, -0.6], [0.6, -0.6]]),
}
OUTWARDS = 0.36  # from a variable to the factor of its bias
ALONG = {(0, 2): 0.62, (1, 3): 0.62, (0, 3): 0.36, (1, 2): 0.36}  # where factors of four spins stand, beside all labels
SCALES = (1, 2, 4, 8, 16, 32)  # nats: ends of the axis of scores
SCORE, MIDDLE, SHARE = (0.42, 0.60), 0.51, (0.67, 0.97)  # where the bars of score and probability lie in the table
LABEL, LINE = 0.17, 0.12  # from a factor to its name, and from the name of a pair to its number
BELOW, ABOVE = (0.0, -LABEL - LINE / 2), (0.0, LABEL + LINE / 2)
LEFT, RIGHT = (-0.31, 0.04), (0.31, 0.04)
ASIDE = {
    2: {},
    3: {(0, 1): LEFT, (0, 2): RIGHT},
    4: {(0, 1): ABOVE, (0, 2): LEFT, (1, 3): RIGHT, (0, 3): (-0.225, -0.03), (1, 2): (0.225, -0.03)},
}  # from the factor of a pair to its label, beside all edges; BELOW for other pairs


class Painter:
    """A figure for `spins` variables, in which colours, bars and numbers change."""

    def __init__(self, spins: int, names: tuple[str, ...]):
        self.spins, self.names = spins, names
        self.height = HEIGHTS[spins]
        self.canvas = plot.Canvas(WIDTH, self.height)
        self._make_graph()
        self._make_table()

    def _make_graph(self) -> None:
        axes = self.graph = self.canvas.axes(0.0, 0.5 - 0.2 * WIDTH / self.height, 0.40, 0.40 * WIDTH / self.height)
        axes.set(xlim=(-1.16, 1.16), ylim=(-1.16, 1.16))
        axes.axis("off")
        self.at = PLACES[self.spins]
        self.stand = self._stands()
        ends = [(i,) for i in range(self.spins)] + list(itertools.combinations(range(self.spins), 2))
        self.labelled = []
        for square, joined, name in zip(self.stand, ends, self.names, strict=True):
            for end in joined:
                axes.plot(*np.stack([square, self.at[end]], 1), color=plot.FAINT, linewidth=1.4, zorder=0)
            self._label(axes, square, joined, name)
        line = {"edgecolors": plot.INK, "zorder": 2}
        self.squares = axes.scatter(*self.stand.T, s=230, marker="s", linewidths=1.0, **line)
        self.disks = axes.scatter(*self.at.T, s=900, linewidths=1.0, **line)
        self.canvas.moving(self.squares, self.disks)

    def _label(self, axes, square: np.ndarray, joined: tuple[int, ...], name: str) -> None:
        """Write the name of a factor, with room for its number: beside the name of a bias, below that of a pair."""
        pair = len(joined) > 1
        outside = (0.0, LABEL if square[1] > 0 else -LABEL)  # of the variable of a bias
        middle = square + np.array(ASIDE[self.spins].get(joined, BELOW) if pair else outside)
        aside = np.array([0, LINE / 2] if pair else [-0.02, 0])  # of the name from the middle
        style = {"fontsize": plot.TEXT, "color": plot.INK, "va": "center_baseline"}
        axes.text(*(middle + aside), name, ha="center" if pair else "right", **style)
        self.labelled.append((middle - aside, 0.5 if pair else 0.0))

    def _stands(self) -> np.ndarray:
        """Place the factors: biases outside their variables, couplings between theirs."""
        at = self.at
        aside = np.array([[0.0, 1.0]] * 2) if self.spins == 2 else at / np.linalg.norm(at, axis=1, keepdims=True)
        pairs = itertools.combinations(range(self.spins), 2)
        shares = {pair: ALONG.get(pair, 0.5) if self.spins == 4 else 0.5 for pair in pairs}
        between = [(1 - share) * at[i] + share * at[j] for (i, j), share in shares.items()]
        return np.concatenate([at + OUTWARDS * aside, np.array(between)])

    def _make_table(self) -> None:
        rows = 2**self.spins
        room = max(rows, 5)
        top = 62 / (0.94 * self.height - 62) * (room + 0.1)  # 62 pixels for the head of the table
        axes = self.table = self.canvas.axes(0.42, 0.03, 0.57, 0.94)
        axes.set(xlim=(0, 1), ylim=(room - 0.4, -0.5 - top))
        axes.axis("off")
        self._draw_states(axes, rows)
        for x in (MIDDLE, SHARE[0]):
            axes.plot([x, x], [-0.5, rows - 0.5], color=plot.FAINT, linewidth=0.8)
        thick = 0.62 * axes.bbox.height / self.canvas.density / (0.1 + room + top)
        self.scores = axes.hlines([], 0, 0, color=plot.QUIET, linewidth=min(thick, 20))
        self.bars = axes.hlines([], 0, 0, linewidth=min(thick, 20))
        head, small = -0.5 - 0.28 * top, {"va": "bottom", **plot.WRITING}
        axes.text(0.345, head, "energy\nE(x)", ha="right", **small)
        axes.text(SHARE[0], head, "p(x)\nlog Z =", **small)
        self.scale = axes.text(MIDDLE, head, "", ha="center", **small)
        self.kind = axes.text(0.0, head, "", **small)
        self.log_partition = SHARE[0] + 0.155, -0.5 - 0.42 * top
        self.canvas.moving(self.scores, self.bars, self.scale, self.kind)

    def _draw_states(self, axes, rows: int) -> None:
        """Draw a square for each variable in each row: black is 1 or +1, white 0 or -1."""
        x = np.array(list(itertools.product((0, 1), repeat=self.spins)))
        columns = 0.025 + 0.042 * np.arange(self.spins)
        for number, left in enumerate(columns, 1):  # of the variable, as in x1
            axes.text(left, -0.5, str(number), **plot.WRITING, ha="center", va="bottom")
        place, row = np.meshgrid(columns, np.arange(rows))
        colour = np.where(x.ravel() == 1, plot.INK, "white")
        size = 75 if self.spins == 4 else 110
        axes.scatter(place.ravel(), row.ravel(), s=size, marker="s", c=colour, edgecolors=plot.INK, linewidths=0.8)

    def paint(self, state: State) -> Image:
        """Paint a state."""
        self.squares.set_facecolor(_colours(plot.diverging(state.strengths, 2.0)))
        self.squares.set_linewidth([3.2 if k == state.chosen else 1.0 for k in range(len(self.names))])
        self.disks.set_facecolor(_colours(self._fills(state)))
        reach = next(scale for scale in SCALES if np.abs(state.scores).max() <= scale)
        half = SCORE[1] - MIDDLE
        self.scores.set_segments([[(MIDDLE, k), (MIDDLE + half * s / reach, k)] for k, s in enumerate(state.scores)])
        ends = SHARE[0] + (SHARE[1] - SHARE[0]) * 0.77 * state.probabilities
        self.bars.set_segments([[(SHARE[0], k), (end, k)] for k, end in enumerate(ends)])
        self.bars.set_color([MODE if mode else BAR for mode in state.modes])
        self.scale.set_text(f"score = −E\n(bars ±{reach})")
        self.kind.set_text("■ +1\n□ −1" if "−" in state.kind else "■ 1\n□ 0")
        pixels = self.canvas.pixels()
        self._write_numbers(pixels, state, ends)
        return pixels

    @staticmethod
    def _fills(state: State) -> np.ndarray:
        """Return the colours of the disks: the log-odds of the upper state, (n, 3) uint8."""
        up = np.clip(state.up, 1e-6, 1 - 1e-6)
        return plot.diverging(np.log(up / (1 - up)), 3.0)

    def _write_numbers(self, pixels: Image, state: State, ends: np.ndarray) -> None:
        """Write names of variables, strengths, energies, probabilities and log Z."""
        for i, (fill, place) in enumerate(zip(self._fills(state), self.at, strict=True)):
            self._write(pixels, self.graph, place, f"x{i + 1}", 0.5, 255 if fill.mean() < 140 else 0)
        for strength, (place, align) in zip(state.strengths, self.labelled, strict=True):
            self._write(pixels, self.graph, place, f"{strength + 0.0:.2f}", align)
        for k, (score, p) in enumerate(zip(state.scores, state.probabilities, strict=True)):
            self._write(pixels, self.table, (0.345, k), f"{0.0 - score:.2f}", 1.0)
            self._write(pixels, self.table, (ends[k] + 0.012, k), f"{p:.3f}")
        self._write(pixels, self.table, self.log_partition, f"{state.log_partition:.3f}", colour=0x33)

    @staticmethod
    def _write(pixels, axes, place, words: str, align: float = 0.0, colour: int = 0) -> None:
        x, y = axes.transData.transform(place)
        numerals.paste(pixels, words, x, len(pixels) - y, align, colour)


def _colours(pixels: np.ndarray) -> list[tuple[float, float, float]]:
    """Convert (N, 3) uint8 to colours of matplotlib."""
    return [(red / 255, green / 255, blue / 255) for red, green, blue in pixels.tolist()]
