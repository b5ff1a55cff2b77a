"""The work behind a phase map: which settings it has, in which order they are computed, and what is known so far."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ....engine import checks
from .. import film, layout
from ..explorer import Explorer
from ..shared.many import BATCH
from .measures import Measure

MOST = 21  # stops of an axis
STRIDES = (4, 2, 1)  # first one setting for each block of 4 x 4, then of 2 x 2, then all
QUICK, SLOW = 0.03, 0.07  # seconds of a step: below it takes more settings next time, above it takes fewer


class Axis(NamedTuple):
    """An axis of the map: a control of the explorer, or the frames of its picture.

    Attributes:
        name: of the control, or of a frame.
        stops: the values on the axis.
        ordered: whether neighbours are similar, so that blocks of stops may be computed first.
    """

    name: str
    stops: tuple
    ordered: bool

    @property
    def words(self) -> list[str]:
        """What to say of each stop."""
        return [f"{self.name} {layout.short(stop)}" for stop in self.stops]

    def blocks(self, stride: int) -> Int[np.ndarray, " stops"]:
        """Return for each stop the one that stands for its block of `stride` stops."""
        every = np.arange(len(self.stops))
        return np.minimum(every // stride * stride + stride // 2, every[-1]) if self.ordered else every

    def nearest(self, value: Any) -> int:
        """Return the index of the stop that is nearest to a value."""
        if self.ordered:
            return int(np.abs(np.array(self.stops, float) - value).argmin())
        return self.stops.index(value)


def axis(explorer: Explorer, argument: str, name: str) -> Axis:
    """Return the axis of a control, or of the frames of the explorer's picture.

    Raises:
        TypeError: it is no explorer.
        ValueError: there is neither a control nor a frame of that name.
    """
    checks.instance("explorer", explorer, Explorer, "explore.MessageScope()")
    control = explorer.controls.get(name)
    if control is not None:
        ordered = hasattr(control, "step")
        most = _even(round((control.max - control.min) / control.step)) if ordered else MOST
        return Axis(name, tuple(film.stops(control, most)), ordered)
    frame, last = getattr(explorer, "frames", None) or ("", 0)
    if not frame or name != frame:
        known = [*explorer.controls, *filter(None, [frame])]
        raise ValueError(
            f"{argument}: expected a control of {type(explorer).__name__}, one of {known}, got {name!r}; use the word "
            "written beside it"
        )
    return Axis(name, tuple(film.spread(last, _even(last))), True)


def _even(last: int) -> int:
    """Return how many stops from 0 to `last` have equal distances, at most MOST; or MOST if these would be few."""
    stops = 1 + max((gaps for gaps in range(1, MOST) if last % gaps == 0), default=0)
    return stops if stops > MOST // 2 else MOST


def params_of(explorer: Explorer) -> dict[str, Any]:
    """Return the values that a state depends on: a dict of explorers on the base `picture`, a method of the others."""
    params = explorer.params
    return params() if callable(params) else dict(params)


def check(explorer: Explorer, x: Axis, y: Axis, measure: Measure) -> None:
    """Raise a ValueError if axes and measure do not fit together."""
    if x.name not in explorer.controls or x.name == y.name:
        raise ValueError(
            f"x: expected a control other than y = {y.name!r}, one of {list(explorer.controls)}, got {x.name!r}; use "
            "the word written beside it"
        )
    frame = y.name not in explorer.controls
    if (measure.by_sweep and not frame and y.name != "sweeps") or (frame and not measure.by_sweep):
        wanted = "the sweeps" if measure.by_sweep else "a control, because the measure gives one number for all sweeps"
        raise ValueError(f"y: expected {wanted}, got {y.name!r}; choose another y or another measure")
    if measure.draws > 1 and (measure.names or "seed" not in explorer.controls):
        raise ValueError(
            f"measure: expected draws=1 for categories and for an explorer without a control 'seed', got "
            f"{measure.draws}; there is nothing to average"
        )


def order(x: Axis, y: Axis) -> list[list[tuple[int, int]]]:
    """Return the cells (row, column) of a map, each once: first one for each large block, then for each smaller one."""
    levels, known = [], set()
    for stride in STRIDES:
        cells = itertools.product(np.unique(y.blocks(stride)).tolist(), np.unique(x.blocks(stride)).tolist())
        levels.append([cell for cell in cells if cell not in known])
        known.update(levels[-1])
    return levels


def filled(values: Float[np.ndarray, "rows columns"], x: Axis, y: Axis) -> Float[np.ndarray, "rows columns"]:
    """Give cells that are not computed yet (NaN) the value of the smallest block around them that is."""
    for stride in STRIDES[-2::-1]:
        values = np.where(np.isnan(values), values[np.ix_(y.blocks(stride), x.blocks(stride))], values)
    return values


class Work:
    """The settings of a map and the values so far. One thread computes, any thread may restart.

    Args:
        explorer: its `compute_many` gives the states of many settings at once, if it has one.
        x, y: the axes.
        measure: what is measured; a measure by sweeps gives a whole column at once.

    Attributes:
        done, total, rough: states that have been computed, that are needed, and needed for the first rough picture.
    """

    def __init__(self, explorer: Explorer, x: Axis, y: Axis, measure: Measure):
        self.x, self.y, self._measure, self._moved = x, y, measure, explorer.moved
        many: Callable[[list[dict]], list] | None = getattr(explorer, "compute_many", None)
        self._compute = many or (lambda settings: [explorer.compute(one) for one in settings])
        self._least = self._size = BATCH if many else 1  # settings of a step
        self._computed = Axis(y.name, y.stops[-1:], False) if measure.by_sweep else y  # the last sweep tells of all
        levels = order(x, self._computed)
        self._items = [(*cell, draw) for level in levels for cell in level for draw in range(measure.draws)]
        self.done, self.total, self.rough = 0, len(self._items), len(levels[0]) * measure.draws
        self._lock = threading.Lock()
        self.restart({})

    @property
    def over(self) -> bool:
        """Whether everything is computed."""
        return self.done >= self.total

    @property
    def values(self) -> Float[np.ndarray, "rows columns"]:
        """The value of each cell, the mean over its draws so far; NaN where none is computed."""
        with self._lock:
            return np.where(self._counts > 0, self._sums / np.maximum(self._counts, 1), np.nan)

    def restart(self, params: dict[str, Any]) -> None:
        """Forget all values, and compute with these values of the other controls from now on."""
        with self._lock:
            self._params, self.done = params, 0
            self._sums, self._counts = np.zeros((2, len(self.y.stops), len(self.x.stops)))

    def step(self) -> None:
        """Compute the next few settings, which takes less than a tenth of a second unless one of them takes longer."""
        with self._lock:
            params, end = self._params, self.rough if self.done < self.rough else self.total
            items = self._items[self.done : min(self.done + self._size, end)]
        start = time.perf_counter()
        states = self._compute([self._setting(params, one) for one in items])
        found = [self._measure.value(state, self.y.stops) for state in states]
        seconds = time.perf_counter() - start
        with self._lock:
            if params is not self._params:  # restarted meanwhile
                return
            for (row, column, _), value in zip(items, found, strict=True):
                at = np.s_[:, column] if self._measure.by_sweep else np.s_[row, column]
                self._sums[at] += value
                self._counts[at] += 1
            self.done += len(items)
        if seconds < QUICK and len(items) == self._size:  # the last step before a finer picture may be shorter
            self._size *= 2
        elif seconds > SLOW:
            self._size = self._least * max(1, len(items) // (2 * self._least))

    def _setting(self, params: dict[str, Any], item: tuple[int, int, int]) -> dict[str, Any]:
        """Return the values of all controls for a cell and a draw of the noise."""
        row, column, draw = item
        places = {self.x.name: self.x.stops[column], self.y.name: self._computed.stops[row]}
        seed = {"seed": draw} if self._measure.draws > 1 else {}
        return self._moved(params, {name: value for name, value in (places | seed).items() if name in params})
