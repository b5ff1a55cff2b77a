"""The predicted time of a run at all sizes, and the times of runs that were measured on this machine."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from ...experiments.speed import costs
from ...experiments.speed.costs import Setting

MODELS, SAMPLERS = tuple(costs.MODELS), tuple(costs.SAMPLERS)
SIZES = (100, 144, 196, 256, 400, 576, 784, 1156, 1600)
"""Variables. All are squares, because the lattice is one."""
COUNTS = (1, 2, 4, 8, 16, 32, 64, 100)
SWEEPS = 100
KEPT = 10  # of the last runs
FACTOR = 1.5
"""Of a good prediction: the measured time is at most this many times as long, or as short."""


class Ran(NamedTuple):
    """A run that was measured."""

    model: str
    sampler: str
    size: int
    samples: int
    device: str
    predicted: float
    """Seconds of SWEEPS sweeps."""
    measured: float
    sweeps: int
    """Of the measured calls; `measured` is scaled up if they are fewer than SWEEPS."""
    compiling: float
    """Seconds by which the first call was longer."""

    @property
    def setting(self) -> Setting:
        """What was run."""
        return Setting(*self[:5])


class State(NamedTuple):
    """A setting, predicted times, and the last runs."""

    setting: Setting
    curves: Float[np.ndarray, "samplers sizes"]
    """Predicted seconds of SWEEPS sweeps with each sampler at each of the SIZES."""
    predicted: float
    """Predicted seconds of the setting."""
    compiling: float
    """Seconds that the first call took longer in a run of this sampler before."""
    runs: tuple[Ran, ...]
    doing: str = ""
    """What a run of this setting does now; "" if there is none."""

    @property
    def last(self) -> Ran | None:
        """The last run of this setting; None if it was not run."""
        return next((run for run in reversed(self.runs) if run.setting == self.setting), None)


@functools.cache
def devices() -> tuple[str, ...]:
    """Return the kinds of devices of this machine, the one that JAX uses first."""
    kinds = [jax.default_backend()]
    if "cpu" not in kinds:
        kinds.append("cpu")
    return tuple(kinds)


def state(model: str, size: int, sampler: str, samples: int, device: str, runs: Sequence[tuple] | None = ()) -> State:
    """Predict the time of a run. The runs, each with the fields of `Ran`, are those of before."""
    curves = [
        [costs.predict(Setting(model, name, count, samples, device), SWEEPS) for count in SIZES] for name in SAMPLERS
    ]
    setting, before = Setting(model, sampler, size, samples, device), tuple(Ran(*run) for run in runs or ())
    compiling = costs.yardsticks(device)[sampler].compiling
    return State(setting, np.array(curves), costs.predict(setting, SWEEPS), compiling, before)


def words(seconds: float) -> str:
    """Write a time with two digits, in the unit that suits it."""
    if seconds < 0.995:
        return f"{1e3 * seconds:.2g} ms" if seconds < 0.0995 else f"{1e3 * seconds:.0f} ms"
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"
