"""Pictures of an answer beside the right one, as bars or as a curve. Entries that differ have a red mark."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from .. import plot
from ..plot.png import shown

YOURS, EXACT, WRONG = plot.METHODS["data"].colour, plot.METHODS["exact"].colour, plot.WRONG
TEXT = 14  # font size of the output of a cell, in CSS pixels
WIDEST = 680
ROUNDING = 1e-14  # smaller numbers are the rounding errors of sums
FAR = 1e30  # larger numbers are drawn here, because matplotlib cannot compute with numbers near 1e308


@dataclass(frozen=True, eq=False)
class Picture:
    """An answer, the right answer, and where they differ. A subclass draws them.

    Args:
        given: the reader's values.
        expected: the right values.
        wrong: which entries of `given` differ.
        title: the caption above the picture.
        heads: names of the two answers.
    """

    given: np.ndarray
    expected: np.ndarray
    wrong: Bool[np.ndarray, ...]
    title: str
    heads: tuple[str, str] = ("yours", "right")

    def paint(self) -> plot.Canvas:
        """Draw the picture."""
        raise NotImplementedError

    def words(self) -> str:
        """Describe the picture in one line, for screen readers."""
        words = self.title
        if self.given.size <= 12:
            for head, values in zip(self.heads, (self.given, self.expected), strict=True):
                words += f" {head}: {', '.join(map(number, values.flat))}."
        places = [str(place) for place in np.argwhere(self.wrong).tolist()]
        return f"{words} Indices that differ: {', '.join(places[:8]) or 'none'}{', ...' if len(places) > 8 else ''}."

    def html(self) -> str:
        """Return the caption and the picture for the page."""
        canvas = self.paint()
        look = f'width="{canvas.width}" style="max-width: 100%; background: white; border-radius: 4px"'
        title = f'<div style="margin: 6px 0 4px">{html.escape(self.title)}</div>'
        return title + shown(canvas.png(), self.words(), look)


@dataclass(frozen=True, eq=False)
class Bars(Picture):
    """A bar for each given number, and a black line at the right of it for the right number.

    Args:
        labels: one for each number; by default its index.
        axis: what the labels are.
    """

    labels: Sequence[str] = ()
    axis: str = ""

    def paint(self) -> plot.Canvas:
        count = len(self.given)
        canvas = plot.Canvas(min(WIDEST, max(330, 90 + 120 * count)), 270)
        axes = _axes(canvas, self.axis)
        axes.set_xticks(range(count), self.labels or [str(k) for k in range(count)])
        axes.tick_params(axis="x", length=0)
        axes.set_xlim(-0.6, count - 0.4)
        low = _scale(axes, self.given, self.expected)
        for k, (mine, right) in enumerate(zip(_drawable(self.given), _drawable(self.expected), strict=True)):
            differs = self.wrong[k]
            edge = {"edgecolor": WRONG, "linewidth": 3} if differs else {"edgecolor": plot.INK, "linewidth": 0.8}
            axes.bar(k - 0.2, mine - low, 0.34, low, color=YOURS, zorder=2, **edge)
            axes.hlines(right, k + 0.03, k + 0.37, color=EXACT, linewidth=3, zorder=3)
            short = count > 6
            if differs:
                _label(axes, k - 0.24, mine, "✗" if short else f"✗ {number(self.given[k])}", WRONG)
                _label(axes, k + 0.24, right, "" if short else number(self.expected[k]), plot.INK)
            else:
                _label(
                    axes, k, max(mine, right) if mine > 0 else mine, "" if short else number(self.given[k]), plot.INK
                )
        axes.axhline(low, color=plot.FAINT, linewidth=0.8, zorder=1)
        _legend(canvas, self)
        return canvas


@dataclass(frozen=True, eq=False)
class Curve(Picture):
    """Given numbers as points, and the right ones as a black line.

    Args:
        at: places of the numbers on the horizontal axis; by default their indices.
        axis: what the places are.
    """

    at: np.ndarray | None = None
    axis: str = ""

    def paint(self) -> plot.Canvas:
        at = np.arange(len(self.given)) if self.at is None else self.at
        canvas = plot.Canvas(520, 290)
        axes = _axes(canvas, self.axis)
        axes.tick_params(axis="x", pad=9)  # below the frame of a point at 0
        axes.set_xticks(at if len(at) <= 8 else at[:: (len(at) + 7) // 8])
        margin = 0.06 * max(float(np.ptp(at)), 1.0)
        axes.set_xlim(at.min() - margin, at.max() + margin)
        _scale(axes, self.given, self.expected)
        mine = _drawable(self.given)
        axes.plot(at, _drawable(self.expected), color=EXACT, linewidth=2)
        axes.plot(at, mine, "o", color=YOURS, markeredgecolor=plot.INK, markersize=9, clip_on=False)
        axes.plot(
            at[self.wrong],
            mine[self.wrong],
            "s",
            color="none",
            markeredgecolor=WRONG,
            mew=2.5,
            markersize=16,
            clip_on=False,
        )
        for k in np.flatnonzero(self.wrong):
            words = "✗" if np.isfinite(self.given[k]) else f"✗ {number(self.given[k])}"
            _label(axes, float(at[k]), mine[k], words, WRONG, 9)
        _legend(canvas, self)
        return canvas


def written(value, digits: int) -> str:
    """Write a number with a number of digits, and a rounding error such as -9e-16 as 0."""
    return f"{0.0 if abs(value) < ROUNDING else value:.{digits}g}"


def number(value) -> str:
    """Write a number with three digits, or fewer if it is small. The integer 0 is left out."""
    if np.asarray(value).dtype.kind != "f":
        return str(value or "")
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    digits = 3 if abs(value) >= 0.1 else 2 if abs(value) >= 0.01 else 1
    return written(value, digits).replace("e+0", "e").replace("e+", "e").replace("-", "−")


def _drawable(values: np.ndarray) -> np.ndarray:
    """Replace numbers that have no place on an axis: those that are not finite are drawn at 0."""
    return np.clip(np.where(np.isfinite(values), values, 0.0), -FAR, FAR)


def _axes(canvas: plot.Canvas, words: str):
    """Return axes below a line of legend, with text as large as the page's."""
    left, bottom, top = 68, 56 if words else 30, 34
    wide, tall = canvas.width, canvas.height
    axes = canvas.axes(left / wide, bottom / tall, 1 - (left + 12) / wide, 1 - (bottom + top) / tall)
    axes.tick_params(labelsize=TEXT)
    axes.set_xlabel(words, fontsize=TEXT, color=plot.INK)
    return axes


def _scale(axes, given: np.ndarray, expected: np.ndarray) -> float:
    """Set the vertical axis, logarithmic if all numbers are positive and one is large. Return where bars begin."""
    values = _drawable(np.concatenate([given, expected]))
    low, high = float(values.min()), float(values.max())
    if low > 0 and high > 1e4:
        axes.set_yscale("log")
        axes.set_ylim(low / 10, high * 10)
        return low / 10
    low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.16 * (high - low or 1.0)
    axes.set_ylim(low - (margin if low < 0 else 0), high + margin)
    return 0.0


def _label(axes, x: float, y: float, words: str, colour: str, gap: int = 4) -> None:
    """Write words above a positive number or below a negative one."""
    shift = {"textcoords": "offset points", "xytext": (0, gap if y >= 0 else -gap)}
    look = {"ha": "center", "va": "bottom" if y >= 0 else "top", "fontsize": TEXT, "color": colour}
    axes.annotate(words, (x, y), **shift, **look)


def _legend(canvas: plot.Canvas, picture: Picture) -> None:
    """Write what the marks mean above the axes."""
    yours, right = picture.heads
    canvas.write(68, 18, "■", fontsize=TEXT, color=YOURS)
    canvas.write(84, 18, yours, fontsize=TEXT)
    canvas.write(100 + 8 * len(yours), 18, f"— {right}", fontsize=TEXT, color=EXACT)
    if picture.wrong.any():
        canvas.write(150 + 8 * len(yours + right), 18, "✗ wrong", fontsize=TEXT, color=WRONG)
