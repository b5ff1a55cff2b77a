"""All measurements of one run in a dict that can be saved as JSON."""

import os
from collections.abc import Callable

import jax
import numpy as np

from benchmarks import child, costs, flat, quality, tuning
from benchmarks.plain import plain
from pmp_kit.course.experiments.speed import samplers, scaling, timing, workloads
from pmp_kit.course.experiments.speed.timing import machine
from pmp_kit.course.experiments.speed.workloads import EFFORT
from pmp_kit.samplers import PMP
from pmp_kit.solvers import Alternating

VERSION = 1


def load() -> float | None:
    """The load average of the last minute, or None if the system does not report it."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def workload(name: str, profile: str) -> dict:
    """All measurements of one workload."""
    work, effort = workloads.build(name, profile), EFFORT[profile]
    before = load()
    times = timing.sweep_times(runs(work), effort.rounds, effort.seconds)
    return {
        "messages": work.messages,
        "entries": plain(work).entries,
        "ms": times,
        "copy_ns": timing.copy_8_bytes(),
        "new_count_s": {who: new_count(run) for who, run in runs(work).items()},
        "memory_MB": {who: child.peak_memory(name, profile, who) for who in ("plain", "kit")},
        "first_s": child.first_calls(name, profile, effort.first_calls),
        "quality": quality.time_to_quality(name, profile, effort.rounds),
        "load": [before, load()],
    }


def runs(work: workloads.Workload) -> dict[str, timing.Run]:
    """The algorithms that are measured alternately. Each is a function of the number of sweeps."""
    key = jax.random.key(workloads.SEED)
    looking = PMP(tolerance=0.0, schedule=Alternating() if work.algorithm is workloads.LAYERED else None)
    forms = plain(work)

    def form(transcription):
        return lambda number: np.asarray(transcription(key, damping=0.5, num_sweeps=number))

    def kit(sampler):
        return lambda number: work.sample(key, sampler, number)

    found = {"plain": form(forms.run), "kit": kit(work.algorithm), "kit, looking": kit(looking)}
    return found if forms.edge_list is None else {**found, "edge list": form(forms.edge_list)}


def new_count(run: timing.Run) -> float:
    """Seconds of the first call with a new number of sweeps minus those of the second call."""
    number = timing.FEW + 1
    return timing.timed(run, number) - timing.timed(run, number)


PARTS: dict[str, Callable[[str], dict]] = {
    **{name: lambda profile, name=name: {"workloads": {name: workload(name, profile)}} for name in workloads.BUILDERS},
    "costs": lambda profile: {
        "building_s": costs.building(profile),
        "recompilations": costs.recompilations(profile),
    },
    "flat": lambda profile: {"calls": flat.calls(profile), "flat": flat.costs(profile, EFFORT[profile].seconds)},
    "tuning": lambda profile: {"tuning": tuning.all_problems(profile)},
    "exact-maps": lambda profile: {"exact_maps": quality.exact_maps(profile)},
    "samplers": lambda profile: {
        "samplers": {name: samplers.measure(name, profile, *EFFORT[profile][:2]) for name in samplers.SAMPLERS}
    },
    "scaling": lambda profile: {
        "scaling": {
            name: scaling.measure(name, profile, 3, EFFORT[profile].seconds) for name in scaling.CURVES[profile]
        }
    },
}
"""Name for `--only` -> the measurement."""


def measure(profile: str, only: tuple[str, ...] = (), said: Callable[[str], None] = lambda text: None) -> dict:
    """Measure the parts in `only`, all of them by default.

    Args:
        profile: "full" or "quick". Quick sizes are for tests, and their results mean nothing.
        only: names of parts.
        said: a function that is called with the name of each part before it is measured.
    """
    results: dict = {"version": VERSION, "profile": profile, "machine": machine(), "workloads": {}}
    for name in only or PARTS:
        said(name)
        found = PARTS[name](profile)
        results["workloads"].update(found.pop("workloads", {}))
        results.update(found)
    return results
