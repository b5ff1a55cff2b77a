"""Predicted times of `sample`: a table of measured times, interpolated, and scaled to this machine.

`python -m pmp_kit.course.experiments.speed.costs` measures the table anew and writes data/speed_costs.npz.
"""

import functools
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

from ....samplers import AbstractSampler, Gibbs, GibbsWithGradients
from ... import data
from . import timing, workloads
from .workloads import ALGORITHM_1, Workload

OUTPUT = data.FOLDER / "speed_costs.npz"
MODELS: dict[str, Callable[[int, int], Workload]] = {
    "lattice": lambda size, chains: workloads.lattice(round(size**0.5), chains),
    "random graph": workloads.erdos_renyi,
    "dense": workloads.dense,
}
SAMPLERS: dict[str, AbstractSampler] = {
    "PMP": ALGORITHM_1,
    "Gibbs": Gibbs(),
    "Gibbs-with-gradients": GibbsWithGradients(),
}
SIZES, CHAINS = (100, 256, 625, 1600), (1, 4, 16, 40, 100)
"""Variables and chains that `measured` measures. A size is a square, because the lattice needs one."""
LONG = 0.2
"""Seconds of a call with one sweep from which on MANY sweeps are enough to measure a sweep."""
MANY = 6
SHORTEST = 1e-9
"""Seconds that stand for a time of 0, which has no logarithm."""
YARDSTICK = "random graph", 256, 16
"""Model, size and chains, a point of the table, of the runs that compare this machine with that of the table."""


class Setting(NamedTuple):
    """A model and how it is sampled."""

    model: str
    sampler: str
    size: int
    samples: int
    device: str = "cpu"

    def runner(self) -> timing.Run:
        """Build the model, and return a function that samples for a number of sweeps."""
        work, devices = MODELS[self.model](self.size, self.samples), jax.devices(self.device)
        key, sampler = jax.random.key(workloads.SEED), SAMPLERS[self.sampler]
        return lambda sweeps: work.sample(key, sampler, sweeps, devices)


class Table(NamedTuple):
    """Seconds of a call without sweeps, and of a sweep, for all MODELS and SAMPLERS."""

    sizes: Int[np.ndarray, " sizes"]
    chains: Int[np.ndarray, " chains"]
    call: Float[np.ndarray, "models samplers sizes chains"]
    sweep: Float[np.ndarray, "models samplers sizes chains"]


class Yardstick(NamedTuple):
    """A run that was measured on this machine."""

    factor: float
    """Its time divided by the one in the table."""
    compiling: float
    """Seconds by which the first call was longer."""


def measure(run: timing.Run, seconds: float = 0.02) -> tuple[float, float]:
    """Return the seconds of a call without sweeps, and of a sweep, from calls that are compiled already."""
    is_long = timing.fastest(run, 1, times=2) > LONG
    many, times = (MANY, 2) if is_long else (timing.long_enough(run, seconds), 5)
    few = timing.fastest(run, timing.FEW, times=times)
    sweep = max(timing.fastest(run, many, times=times) - few, 0.1 * few) / (many - timing.FEW)
    return max(few - timing.FEW * sweep, 0.0), sweep


def measured() -> Table:
    """Measure a table on this machine's CPU. Two programs compile at a time; nothing compiles while it measures."""
    settings = [
        Setting(model, sampler, size, chains)
        for model, sampler, size, chains in itertools.product(MODELS, SAMPLERS, SIZES, CHAINS)
    ]
    runs = [setting.runner() for setting in settings]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda run: run(1), runs))
    found = np.empty((2, len(settings)))
    for place, (setting, run) in enumerate(zip(settings, runs, strict=True)):
        found[:, place] = measure(run)
        print(*setting, "{:.3g} ms a call, {:.3g} ms a sweep".format(*1e3 * found[:, place]), flush=True)
    return Table(
        np.array(SIZES), np.array(CHAINS), *found.reshape(2, len(MODELS), len(SAMPLERS), len(SIZES), len(CHAINS))
    )


@functools.cache
def table() -> Table:
    """Return the table that comes with the kit."""
    arrays, _ = data.read(OUTPUT, Table._fields)
    return Table(**arrays)


def seconds(setting: Setting, sweeps: int, known: Table | None = None) -> float:
    """Return the seconds of a warm call on the machine of the table.

    Between the sizes and chains of the table, logarithms are interpolated linearly.

    Args:
        setting: what is run. Outside of the table, the line through its two nearest points continues.
        sweeps: of the call.
        known: the table; by default that of the kit.
    """
    known = table() if known is None else known
    row = list(MODELS).index(setting.model), list(SAMPLERS).index(setting.sampler)
    x, y = np.log(known.sizes), np.log(known.chains)
    found = []
    for part in (known.call, known.sweep):
        logs = np.log(np.maximum(part[row].astype(float), SHORTEST))
        of_samples = np.array([_line(y, values, np.log(setting.samples)) for values in logs])
        found.append(np.exp(_line(x, of_samples, np.log(setting.size))))
    return float(found[0] + sweeps * found[1])


def _line(x: np.ndarray, y: np.ndarray, at: float) -> float:
    """Return the value at a place of the line through the two nearest points."""
    low = int(np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2))
    return float(y[low] + (y[low + 1] - y[low]) * (at - x[low]) / (x[low + 1] - x[low]))


@functools.cache
def yardsticks(device: str) -> dict[str, Yardstick]:
    """Measure a run of every sampler on this machine, once: two to four seconds, most of them for compiling."""
    model, size, chains = YARDSTICK
    settings = [Setting(model, sampler, size, chains, device) for sampler in SAMPLERS]
    runs = [setting.runner() for setting in settings]
    firsts = [timing.timed(run, 1) for run in runs]
    found = {}
    for setting, run, first in zip(settings, runs, firsts, strict=True):
        sweeps = int(np.ceil(0.03 / seconds(setting, 1)))
        factor = timing.fastest(run, sweeps, times=10) / seconds(setting, sweeps)
        found[setting.sampler] = Yardstick(factor, max(first - timing.fastest(run, 1, times=2), 0.0))
    return found


def predict(setting: Setting, sweeps: int) -> float:
    """Return the predicted seconds of a warm call on this machine."""
    return seconds(setting, sweeps) * yardsticks(setting.device)[setting.sampler].factor


def main() -> None:
    """Measure this machine, and write the table."""
    about = {"made by": "python -m pmp_kit.course.experiments.speed.costs", **timing.machine()}
    data.write(OUTPUT, data.single(measured()._asdict()), about)


if __name__ == "__main__":
    main()
