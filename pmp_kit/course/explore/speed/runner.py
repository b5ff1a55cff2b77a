"""A run that is measured on this machine, in calls between which it can be stopped."""

from __future__ import annotations

from ...experiments.speed import timing
from ...experiments.speed.costs import Setting, predict
from .compute import SWEEPS, Ran

LONGEST = 9.0
"""Seconds that all warm calls may take."""
ROUNDS = 5


class Runner:
    """Measures a setting: a call that compiles, a warm call of one sweep, and calls of which the fastest counts.

    Where SWEEPS sweeps would take too long, these calls make fewer, and the time is scaled up.

    Attributes:
        setting: what is run.
        done: calls so far, of at most CALLS.
        compiling: seconds by which the first call was longer.
        sweeps: of the calls that count.
    """

    CALLS = 2 + ROUNDS

    def __init__(self, setting: Setting):
        self.setting = setting
        self.done, self.compiling, self.sweeps, self._spent = 0, 0.0, SWEEPS, 0.0
        self._times: list[float] = []

    @property
    def over(self) -> bool:
        """Whether all calls are made, or the time is up."""
        return self.done >= self.CALLS or (bool(self._times) and self._spent >= LONGEST)

    @property
    def seconds(self) -> float:
        """The measured seconds of SWEEPS sweeps."""
        return min(self._times) * SWEEPS / self.sweeps

    def step(self) -> None:
        """Make the next call."""
        if self.done == 0:
            self._run = self.setting.runner()
            self.compiling = timing.timed(self._run, 1)
        elif self.done == 1:
            one = timing.timed(self._run, 1)
            self.compiling -= one
            self.sweeps = int(min(SWEEPS, max(1.0, (LONGEST - one) / ROUNDS / one)))
            self._spent = one
        else:
            self._times.append(timing.timed(self._run, self.sweeps))
            self._spent += self._times[-1]
        self.done += 1

    @property
    def words(self) -> str:
        """What it does now."""
        if self.done == 0:
            return "compiling"
        return f"running {self.sweeps} of {SWEEPS} sweeps"

    def ran(self) -> Ran:
        """Return what was measured beside what was predicted, with three digits."""
        times = predict(self.setting, SWEEPS), self.seconds, max(self.compiling, 0.0)
        predicted, measured, compiling = (float(f"{time:.3g}") for time in times)
        return Ran(*self.setting, predicted, measured, self.sweeps, compiling)
