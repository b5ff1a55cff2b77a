"""The cells of a phase map: which states they need, and the values that are known so far."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from ....engine import checks
from .. import layout
from ..picture import Explorer
from ..shared.many import BATCH
from ..stops import spread, stops
from .measures import Measure

MOST = 21  # cells along an axis of a slider


class Axis(NamedTuple):
    """An axis of the map: a control of the explorer, or the sweeps that its player shows."""

    name: str
    stops: tuple

    def nearest(self, value: Any) -> int:
        """Return the index of the stop that a value is, or that is nearest to it."""
        if value in self.stops:
            return self.stops.index(value)
        return int(np.abs(np.array(self.stops, float) - value).argmin())


class State(NamedTuple):
    """What a map shows.

    Attributes:
        values: of the measure; NaN where none is computed. Row 0 is the first stop of y.
        here: row and column of the explorer's setting, row -1 where only the page knows it; None if it is not there.
        others: what holds for the whole map and not for the explorer now.
        locked: the axis whose control is locked by a question; "" if there is none.
    """

    values: Float[np.ndarray, "rows columns"]
    here: tuple[int, int] | None
    others: tuple[str, ...]
    locked: str


def axes(explorer: Any, x: str, y: str, measure: Measure) -> tuple[Axis, Axis]:
    """Return the axes of a map. Raise an error if the explorer has no such controls, or the measure does not fit."""
    checks.instance("explorer", explorer, Explorer, "explore.MessageScope()")
    controls = list(explorer.controls)
    sweeps = ["sweeps", "sweep"] if measure.by_sweep else []
    for argument, name, some in (("x", x, controls), ("y", y, sweeps or [one for one in controls if one != x])):
        if name not in some:
            kind = type(explorer).__name__
            raise ValueError(f"{argument}: expected one of {some} of {kind} with this measure, got {name!r}")
    if measure.draws > 1 and (measure.names or "seed" not in explorer.params):
        raise ValueError(f"measure: expected numbers and an explorer with a seed, or draws=1, got {measure.draws}")
    return _axis(explorer, x, measure), _axis(explorer, y, measure)


def _axis(explorer: Explorer, name: str, measure: Measure) -> Axis:
    """Return the values of a control; of the sweeps that a player shows, if there is no such control."""
    control = explorer.controls.get(name)
    if control is None:
        last = len(measure.value(explorer.state)) - 1
        return Axis(name, tuple(spread(last, even(last))))
    steps = round((control.max - control.min) / control.step) if hasattr(control, "step") else 0
    return Axis(name, tuple(stops(control, even(steps))))


def even(last: int) -> int:
    """Return how many stops from 0 to `last` have equal distances, at most MOST; or MOST if these would be few."""
    count = 1 + max((gaps for gaps in range(1, MOST) if last % gaps == 0), default=0)
    return count if count > MOST // 2 else MOST


class Work:
    """The states behind a map, and the values of its cells so far. With a measure by sweeps, one state gives a column.

    All params but the axes are those of the explorer now.
    """

    def __init__(self, explorer: Explorer, x: Axis, y: Axis, measure: Measure):
        self.explorer, self.x, self.y, self.measure, self.given = explorer, x, y, measure, explorer.params
        rows = [len(y.stops) - 1] if measure.by_sweep else range(len(y.stops))
        self._items = list(itertools.product(range(len(x.stops)), rows, range(measure.draws)))
        self._size = 1 if type(explorer).compute_many is Explorer.compute_many else BATCH  # states of a step
        self.done, self.total = 0, len(self._items)
        self._sums, self._counts = np.zeros((2, len(y.stops), len(x.stops)))

    @property
    def over(self) -> bool:
        """Whether everything is computed."""
        return self.done >= self.total

    def step(self, lock: contextlib.AbstractContextManager) -> None:
        """Compute the next few states, and then note their values under the lock."""
        items = self._items[self.done : self.done + self._size]
        settings = [self.setting(row, column, draw) for column, row, draw in items]
        found = [self.measure.value(state) for state in self.explorer.compute_many(settings)]
        with lock:
            for (column, row, _), value in zip(items, found, strict=True):
                cells = np.s_[:, column] if self.measure.by_sweep else np.s_[row, column]
                self._sums[cells] += value[list(self.y.stops)] if self.measure.by_sweep else value
                self._counts[cells] += 1
            self.done += len(items)

    def setting(self, row: int, column: int, draw: int | None = None) -> dict[str, Any]:
        """Return the params of a cell, with the noise of a draw if the map averages over several."""
        seed = {"seed": draw} if self.measure.draws > 1 and draw is not None else {}
        return self._moved({self.x.name: self.x.stops[column], self.y.name: self.y.stops[row], **seed})

    def state(self) -> State:
        """Return what is known, and where the explorer is."""
        now, controls, axes = self.explorer.params, self.explorer.controls, (self.y, self.x)
        free = {self.x.name, self.y.name, "seed" if self.measure.draws > 1 else ""}
        expected = self._moved({name: value for name, value in now.items() if name in free})
        others = tuple(_words(name, one) for name, one in expected.items() if not np.array_equal(one, now[name]))
        row, column = (axis.nearest(now[axis.name]) if axis.name in now else -1 for axis in axes)
        locked = [one.name for one in axes if one.name in controls and controls[one.name].disabled]
        values = self._sums / np.where(self._counts, self._counts, np.nan)
        return State(values, None if others else (row, column), others, "".join(locked[:1]))

    def _moved(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the given params with other values, from the top control down: one may follow from one above it."""
        return self.explorer.moved(self.given, {name: values[name] for name in self.given if name in values})


def _words(name: str, value: Any) -> str:
    return f"{name} {layout.short(value)}" if isinstance(value, str | int | float) else f"other {name}"
