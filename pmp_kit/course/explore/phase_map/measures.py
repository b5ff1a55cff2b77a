"""What a phase map shows of a state: a number, or one of a few categories. The measures of the course are below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....engine import checks
from ...plot import FAINT, METHODS
from ..shared.limits import EXACT_GAP

if TYPE_CHECKING:
    from ..digits import State as Completions
    from ..messages import State as Messages
    from ..race import State as Race
    from ..sampler import State as Sample


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

    def value(self, state: Any, stops: Sequence) -> np.ndarray:
        """Return the number of a state; by sweep, the numbers at these numbers of sweeps.

        Raises:
            ValueError: the function returned something else.
        """
        value = np.asarray(self.function(state), float)
        if value.ndim != self.by_sweep:
            wanted = "one number for each number of sweeps" if self.by_sweep else "one number"
            raise ValueError(
                f"measure: expected {wanted} of a state, got an array of shape {value.shape}; return "
                f"{'an array (sweeps,)' if self.by_sweep else 'a float, such as its mean'}"
            )
        if not np.isfinite(value).all():
            odd = value[~np.isfinite(value)][0]
            raise ValueError(f"measure: expected finite numbers, got {odd}; return one for every state, such as -1")
        if self.names and not np.isin(value, range(len(self.names))).all():
            raise ValueError(f"measure: expected the index of one of {list(self.names)}, got {value}; count from 0")
        return value[list(stops)] if self.by_sweep else value


def as_measure(measure: Measure | Callable[[Any], float]) -> Measure:
    """Return a function of a state as a measure, whose label is its name; a measure is returned unchanged."""
    if isinstance(measure, Measure):
        return measure
    if not callable(measure):
        got = checks.describe(measure)
        raise TypeError(f"measure: expected a Measure or a function of a state, got {got}; see explore.phase_map")
    return Measure(measure, getattr(measure, "__name__", "measure").replace("_", " "))


def _settled(state: Completions) -> np.ndarray:
    """Return the share of the completions that have settled after each number of sweeps."""
    return (state.settled & (state.sweeps <= np.arange(state.allowed + 1)[:, None])).mean(1)


def _outcome(state: Messages) -> int:
    """Return what the messages do, as an index of the names of `OUTCOME`."""
    if state.sweeps is None:
        return 4 if state.period is None else 1
    if state.undecided:
        return 3
    return 0 if state.gaps[-1] < EXACT_GAP else 2


def _exact(state: Sample) -> np.ndarray:
    return state.gaps < EXACT_GAP


def _closest(state: Race) -> int:
    """Return the method that is closest to exact samples; the last category if another is as close as can be told."""
    away = np.abs(state.values)
    first, second = np.sort(away)[:2]
    return int(away.argmin()) if second - first > 2 * state.band else len(away)


SHARE = (0.0, 1.0)
SETTLED = Measure(_settled, "share of completions that settled", limits=SHARE, by_sweep=True)
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
EXACT = Measure(_exact, "share of samples that are the best configuration", limits=SHARE, draws=25, by_sweep=True)
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
