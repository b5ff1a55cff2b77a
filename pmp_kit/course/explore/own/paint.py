"""The picture of the composer: a sheet of samples, marginals with the exact ones, and curves over the sweeps."""

from __future__ import annotations

import functools
import string

import numpy as np
from jaxtyping import Int, UInt8

from ... import plot
from ...plot import pixels
from .compute import State, entry_name

WIDTH, HEIGHT, HIGHER = 640, 440, 540  # CSS pixels; with a map the picture is higher, because bars need less room
SHEET, TOP = 268, 34  # pixels of the page: side of the sheet of samples, and where it begins
MOST_ROWS, GAP = 11, 14  # rows of the sheet, and image pixels between samples, their frames included
MOST_BARS = 32
"""Marginals that are drawn as bars; more become a map."""
FEW = 8
"""Columns of a map that all have numbers; of more, and of the rows, only the first and the last have one."""
PMP, EXACT = plot.METHODS["PMP"].colour, plot.METHODS["exact"].colour
BROKEN = plot.WRONG
SYMBOLS = string.digits + string.ascii_uppercase
"""Of the states 0, 1, ... where a model has more than two."""


class Painter:
    """A figure into which the sheet of samples is pasted.

    Args:
        state: a first state; all others have its shapes.
        num_states: of a variable of the block whose marginals are shown.
        longest: most sweeps.
        ruled: whether the model has hard rules.
    """

    def __init__(self, state: State, num_states: int, longest: int, ruled: bool):
        self._height = HEIGHT if state.marginals.size <= MOST_BARS else HIGHER
        self.canvas = plot.Canvas(WIDTH, self._height)
        self.canvas.write(8, 20, "samples")
        self._num_states = num_states
        self._make_marginals(state, num_states)
        self._make_curves(state, longest, ruled)

    def _make_marginals(self, state: State, num_states: int) -> None:
        count = state.marginals.size
        left = 0.54 if count <= MOST_BARS else 0.475  # bars have numbers at their left
        axes = self.canvas.axes(left, 185 / self._height, 0.985 - left, 1 - 225 / self._height)
        self.bars = self.map = None
        if count <= MOST_BARS:
            axes.set(xlim=(-0.7, count - 0.3), ylim=(0, 1), yticks=[0, 0.5, 1])
            axes.tick_params(axis="x", length=0)
            names = [str(k % num_states if num_states > 2 else k + 1) for k in range(count)]
            shown = range(0, count, 4 if count > 12 and num_states == 2 else 1)  # so that no names touch
            axes.set_xticks(shown, [names[k] for k in shown], fontsize=plot.TEXT - 1)
            words = "share of each state, variable by variable" if num_states > 2 else "share of ones, by variable"
            for edge in range(num_states, count, num_states) if num_states > 2 else ():
                axes.axvline(edge - 0.5, color=plot.FAINT, linewidth=0.8)
            width = 0.55 / (count + 0.4) * axes.bbox.width / self.canvas.density
            self.bars = axes.vlines([], 0, 0, color=PMP, linewidth=width, alpha=0.85, capstyle="butt")
            self.exact = axes.hlines([], 0, 0, color=EXACT, linewidth=2.4)
            (self.error,) = axes.plot([], [], color=plot.WRONG, linewidth=3)
            self.worst = axes.text(
                0, -0.2, "", transform=axes.transAxes, fontsize=plot.TEXT, color=plot.WRONG, va="top"
            )
            self.canvas.moving(self.bars, self.error, self.exact, self.worst)
            if state.exact is not None:
                axes.text(1, 1.04, "▬ exact", transform=axes.transAxes, fontsize=plot.TEXT, color=EXACT, ha="right")
        else:
            several = num_states > 2
            self._shape = (-1, num_states) if several else _rows_and_columns(count, state.pictures.shape[1:])
            blank = state.marginals.reshape(self._shape)
            self.map = axes.imshow(blank, cmap="cividis", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
            axes.spines[["left", "bottom"]].set_visible(False)
            words = f"share of {'each state' if several else 'ones'}: dark 0, bright 1"
            places = self._shape[0] == np.prod(state.pictures.shape[1:]) > 1
            names = ("state", "variable") if several else ("variable of the place", "place") if places else ("", "")
            for axis, name, size, few in zip((axes.xaxis, axes.yaxis), names, blank.T.shape, (FEW, 2), strict=True):
                axis.set_label_text(name, **plot.WRITING)
                shown = () if not name else range(size) if size <= few else (0, size - 1)
                axis.set_ticks(shown, [str(k + (name != "state")) for k in shown], fontsize=plot.TEXT - 1)
            axes.yaxis.set_label_coords(-0.02, 0.5)  # between the two numbers
            axes.tick_params(length=0)
            self.canvas.moving(self.map)
        axes.text(0, 1.04, words, transform=axes.transAxes, **plot.WRITING)

    def _make_curves(self, state: State, longest: int, ruled: bool) -> None:
        axes = self.canvas.axes(0.06, 51 / self._height, 0.78, 68 / self._height)
        axes.set(xlim=(0, longest), ylim=(-0.03, 1.06))
        axes.set_yticks([0, 1], ["0", "1"])
        axes.set_xlabel("sweeps", **plot.WRITING)
        axes.text(0, 1.12, "share of the samples", transform=axes.transAxes, **plot.WRITING)
        self._sweeps = np.linspace(0, longest, len(state.lawful))
        (self.lawful,) = axes.plot([], [], "--", color=plot.INK, linewidth=1.8)
        (self.settled,) = axes.plot([], [], "-", color=PMP, linewidth=1.8)
        self.here = self.canvas.cursor(axes)
        self.lawful.set_visible(ruled)
        axes.text(1.02, 0.75, "keep all rules" if ruled else "no hard rules", transform=axes.transAxes, **plot.WRITING)
        if state.settled is not None:
            axes.text(1.02, 0.25, "settled", transform=axes.transAxes, fontsize=plot.TEXT, color=PMP)
        self.canvas.moving(self.lawful, self.settled, self.here)

    def paint(self, state: State) -> pixels.Image:
        """Paint a state."""
        if self.bars is not None:
            self.bars.set_segments([[(k, 0), (k, p)] for k, p in enumerate(state.marginals)])
            exact = [] if state.exact is None else state.exact
            self.exact.set_segments([[(k - 0.42, p), (k + 0.42, p)] for k, p in enumerate(exact)])
            self._mark_worst(state)
        if self.map is not None:
            self.map.set_data(state.marginals.reshape(self._shape))
        self.lawful.set_data(self._sweeps, state.lawful)
        if state.settled is not None:
            self.settled.set_data(self._sweeps, state.settled)
        self.here.set_xdata([self._sweeps[state.row]] * 2)
        picture, density = self.canvas.pixels(), self.canvas.density
        sheet = _sheet(state, int(SHEET * density))
        pixels.paste(picture, sheet, int(TOP * density), int(8 * density))
        return picture

    def _mark_worst(self, state: State) -> None:
        """Join the largest error's bar and its exact line, and write both numbers below."""
        if state.worst is None or state.exact is None:
            self.error.set_data([], [])
            self.worst.set_text("")
            return
        share, exact = state.marginals[state.worst], state.exact[state.worst]
        self.error.set_data([state.worst] * 2, [share, exact])
        name = entry_name(state.worst, self._num_states)
        self.worst.set_text(f"{name}: samples {share:.2f}, exact {exact:.2f}")


def _sheet(state: State, side: int) -> UInt8[np.ndarray, "height width 3"]:
    """Draw the first samples on a square sheet, those that break a constraint in a thick frame."""
    high, wide = state.pictures.shape[1:]
    columns = 5 if max(high, wide) <= 5 else 4 if max(high, wide) <= 9 else 3
    cell = max(1, (side // columns - GAP) // max(high, wide))
    room, pitch = side // columns, high * cell + GAP
    sheet = np.full((side, side, 3), 255, np.uint8)
    for number, picture in enumerate(state.pictures[: columns * min(side // pitch, MOST_ROWS)]):
        row, column = divmod(number, columns)
        image = _magnified(picture, cell, state.most)
        framed = _framed(image, plot.FAINT, 1) if state.allowed[number] else _framed(image, BROKEN, 4)
        pixels.paste(sheet, framed, row * pitch, column * room)
    return sheet


def _framed(image, colour: str, thickness: int):
    """Put a border of 4 pixels around an image, `thickness` of them coloured."""
    height, width = image.shape[0] + 8, image.shape[1] + 8
    sheet, edge = np.full((height, width, 3), 255, np.uint8), 4 - thickness
    sheet[edge : height - edge, edge : width - edge] = plot.rgb(colour)
    sheet[4:-4, 4:-4] = image
    return sheet


def _magnified(picture: Int[np.ndarray, "h w"], cell: int, most: int) -> UInt8[np.ndarray, "height width 3"]:
    """Draw states as black and white squares. More than two are symbols, or grey levels where symbols do not fit."""
    if most <= 1:
        return pixels.states(picture.clip(0), cell)
    if cell < 9 or most >= len(SYMBOLS):
        return pixels.grey(pixels.magnify((255 - 255 * picture.clip(0) // most).astype(np.uint8), cell))
    glyphs = symbols(cell)[picture.clip(0)]  # (h, w, cell, cell)
    height, width = picture.shape
    return pixels.grey(glyphs.transpose(0, 2, 1, 3).reshape(height * cell, width * cell))


@functools.lru_cache(maxsize=16)
def symbols(cell: int) -> UInt8[np.ndarray, "symbols cell cell"]:
    """Draw the symbols, dark on white with a thin line at the left and above."""
    count = len(SYMBOLS)
    sheet = plot.Canvas(count * cell, cell, density=1.0)
    for number, symbol in enumerate(SYMBOLS):
        place = (number + 0.5) / count, 0.46
        sheet.figure.text(*place, symbol, ha="center", va="center", fontsize=0.72 * cell, color=plot.INK)
    rows = sheet.pixels()[:, :, 0].copy()
    rows[0] = rows[:, ::cell] = 210
    return np.stack(np.split(rows, count, axis=1))


def _rows_and_columns(count: int, shape) -> tuple[int, int]:
    """Choose the shape of a map of marginals: as many rows as the picture has variables, if that divides them."""
    variables = int(np.prod(shape))
    if count > variables and count % variables == 0:
        return variables, count // variables
    return (shape[0], count // shape[0]) if count % shape[0] == 0 else (1, count)
