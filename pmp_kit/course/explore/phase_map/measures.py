"""What a phase map shows of a state: a number, or one of a few categories. The measures of the course are below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ....engine import checks
from ...plot import FAINT, METHODS
from ..shared.limits import EXACT_GAP


class Measure(NamedTuple):
    """What a phase map shows of a state.

    Attributes:
        function: state -> number. Where there are names: the index of one of them. By sweep: one number for each number
            of sweeps 0, 1, 2, ..., so that one state gives a whole column of the map.
        label: what the number is.
        names: categories -> their colours "#RRGGBB"; empty for numbers.
        limits: the numbers at both ends of the colour scale; those of the map if left out.
        draws: seeds of the noise, 0, 1, ..., over which the number is averaged.
        by_sweep: whether the function returns one number for each number of sweeps.
    """

    function: Callable[[Any], Any]
    label: str
    names: Mapping[str, str] = {}
    limits: tuple[float, float] | None = None
    draws: int = 1
    by_sweep: bool = False

    def value(self, state: Any) -> np.ndarray:
        """Return the number of a state, or its numbers by sweep. Raise a ValueError if it is something else."""
        value = np.asarray(self.function(state), float)
        finite, listed = np.isfinite(value).all(), np.isin(value, range(len(self.names))).all() or not self.names
        if value.ndim != self.by_sweep or not finite or not listed:
            one = f"the index of one of {list(self.names)}" if self.names else "one finite number"
            each = " for each number of sweeps 0, 1, 2, ..." if self.by_sweep else ""
            raise ValueError(f"measure: expected {one}{each}, got {value}; return this for every state")
        return value


def as_measure(measure: Measure | Callable[[Any], float]) -> Measure:
    """Return a function of a state as a measure, whose label is its name; a measure is returned unchanged."""
    if isinstance(measure, Measure):
        return measure
    if not callable(measure):
        raise TypeError(f"measure: expected a Measure or a function of a state, got {checks.describe(measure)}")
    return Measure(measure, getattr(measure, "__name__", "measure").replace("_", " "))


def _settled(state: Any) -> np.ndarray:
    """Return the share of the completions that have settled after each number of sweeps."""
    return (state.settled & (state.sweeps <= np.arange(state.allowed + 1)[:, None])).mean(1)


def _outcome(state: Any) -> int:
    """Return what the messages do, as an index of the names of `OUTCOME`."""
    if state.sweeps is None:
        return 4 if state.period is None else 1
    if state.undecided:
        return 3
    return 0 if state.gaps[-1] < EXACT_GAP else 2


def _closest(state: Any) -> int:
    """Return the method that is closest to exact samples; the last category if another is as close as can be told."""
    away = np.abs(state.values)
    first, second = np.sort(away)[:2]
    return int(away.argmin()) if second - first > 2 * state.band else len(away)


SETTLED = Measure(_settled, "share of completions that settled", limits=(0, 1), by_sweep=True)
"""Of `SixtySecondPMP`, with y = "sweeps"."""
OUTCOME = Measure(
    _outcome,
    "outcome",
    {
        "settles on the best": "#0072B2",
        "cycles": "#F0E442",
        "settles, but wrong": "#D55E00",
        "settles, undecided": "#8C8C8C",
        "still moving": "#56B4E9",
    },
)
"""Of `MessageScope`: what the messages do in 64 sweeps. Undecided: a belief is 0, so the decoded state is arbitrary."""
BEST = "share of samples that are the best configuration"
EXACT = Measure(lambda state: state.gaps < EXACT_GAP, BEST, limits=(0, 1), draws=25, by_sweep=True)
"""Of `OneSample`, with y = "sweep": how often the decoded state is the exact answer after each sweep."""
CLOSEST = Measure(
    _closest,
    "sampler that is closest to the exact samples",
    {
        "PMP": METHODS["PMP"].colour,
        "Gibbs": METHODS["Gibbs"].colour,
        "GWG": METHODS["Gibbs-with-gradients"].colour,
        "DMALA": METHODS["DMALA"].colour,
        "too close to tell": FAINT,
    },
)
"""Of `Race`: the sampler that is closest; "too close to tell" if the second is less than half a grey band behind."""
