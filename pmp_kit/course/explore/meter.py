"""Running medians of the time for a picture, without the first frames, which compile."""

from __future__ import annotations

import collections
import statistics

WARM_UP = 2  # frames


class Meter:
    """Medians over the last 25 frames."""

    def __init__(self):
        self._frames = 0
        self._milliseconds: collections.deque[float] = collections.deque(maxlen=25)
        self._rates: collections.deque[float] = collections.deque(maxlen=25)

    def add(self, sweeps: float, computing: float, frame: float) -> None:
        """Note one frame: the sweeps it took (0: none), seconds for them, seconds for the whole frame."""
        self._frames += 1
        if self._frames <= WARM_UP:
            return
        self._milliseconds.append(1000 * frame)
        if sweeps and computing > 0:  # a coarse clock can say 0
            self._rates.append(sweeps / computing)

    def __str__(self) -> str:
        """For example '1,200 sweeps/s · 14 ms per frame'; empty during the warm-up."""
        parts = []
        if self._rates:
            parts.append(f"{_two_digits(statistics.median(self._rates)):,} sweeps/s")
        if self._milliseconds:
            parts.append(f"{statistics.median(self._milliseconds):.0f} ms per frame")
        return " · ".join(parts)


def _two_digits(value: float) -> int:
    """Round to two digits, because timings are not more exact."""
    return int(float(f"{value:.2g}"))
