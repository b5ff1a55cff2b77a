"""Long computations run as compiled calls of about half a second, so that they show their progress and can be stopped.

Which programs run is decided by the size of the work alone, so the same key gives the same samples at any speed. Only
the number of sweeps, chunks or rows of one call follows the measured time.
"""

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import numpy as np

from . import identity_cache
from .chunks import Workload, bytes_of_one

SECONDS = 0.5
"""The time that a compiled call of a long computation takes."""
LONG = 0.02
"""Seconds, as `least_seconds` counts them, above which a computation is divided into several calls.

A slow sampler needs up to a hundred times as long.
"""
OF_NUMBER, OF_STEP = 1e-10, 1e-6
"""The shortest time in seconds for each number that a sweep reads, and for each variable that it updates one by one."""
GROWTH = 8
"""How many times as much the next call may do as the last one, whose time may be that of a few sweeps."""


@identity_cache.by_identity
def numbers_of(graph) -> int:
    """Return how many numbers a graph holds."""
    return sum(np.size(leaf) for leaf in jax.tree.leaves(graph))  # a model may hold a Python float


def least_seconds(graph, sampler, batch: int, num_sweeps: int) -> float:
    """Return a lower limit of the time of sweeps of `batch` samples on one core of a CPU."""
    of_steps = 0.0 if sampler.workload == "messages" else OF_STEP * graph.variables.count
    numbers = numbers_of(graph) + bytes_of_one(graph, sampler) // 4
    return num_sweeps * (of_steps + OF_NUMBER * batch * numbers)


class Pace:
    """How much work one compiled call does, in units such as sweeps or chunks, so that it takes about SECONDS."""

    def __init__(self, unit_seconds: float):
        """Args: unit_seconds: the least time of a unit. The first call does what takes at least LONG."""
        self.units = max(1, int(min(LONG / max(unit_seconds, 1e-12), 1e9)))

    def timed(self, units: int, call: Callable, *arguments) -> Any:
        """Return the finished result of a call that does so many units, and adapt to its time."""
        begin = time.perf_counter()
        result = jax.block_until_ready(call(*arguments))
        wanted = units * SECONDS / max(time.perf_counter() - begin, 1e-6)
        self.units = max(1, int(min(wanted, GROWTH * units)))
        return result


def int32(*numbers: int) -> tuple[np.int32, ...]:
    """Return numbers that have the same type in every thread, whatever JAX's settings there."""
    return tuple(map(np.int32, numbers))


def in_spans(
    advance: Callable, state: Any, num_sweeps: int, seconds: float, workload: Workload, step: Callable[[float], None]
) -> tuple[Any, np.ndarray]:
    """Return the last result of `advance`, and the sweeps of all its calls together.

    Args:
        advance: a function (state, first, until) -> (result, sweeps of each batch element, state), which makes one
            compiled call.
        state: the state before the first sweep.
        num_sweeps: the number of sweeps, unless all batch elements are done before.
        seconds: the least time of all sweeps.
        workload: what a sweep computes. Calls that update all messages at once end at an even sweep, because the sums
            of two sweeps in one iteration may be rounded in another way than those of one sweep.
        step: called after each call with the share of the sweeps that it made.
    """
    unit = 2 if workload == "messages" else 1
    pace, first, used = Pace(unit * seconds / max(num_sweeps, 1)), 0, 0
    while True:
        until = min(num_sweeps, first + unit * pace.units)
        units = -(-(until - first) // unit)
        result, sweeps, state = pace.timed(units, advance, state, first, until)
        used = used + sweeps
        finished = until >= num_sweeps or int(sweeps.max(initial=0)) < until - first
        step(((num_sweeps if finished else until) - first) / max(num_sweeps, 1))
        if finished:
            return result, used
        first = until


@cache
def known_options(**options) -> dict[str, Any]:
    """Return these options of XLA's compiler, or none if this version does not know one of them."""
    try:
        jax.jit(lambda: 0, compiler_options=options)()
    except jax.errors.JaxRuntimeError:
        return {}
    return options


def ahead(program: Any, *arguments) -> Callable:
    """Return a compiled function of these arguments, which runs in any thread whatever JAX settings hold there.

    Args: program: a `functools.partial` of a jitted function and its static arguments.
    """
    return program.func.lower(*arguments, **program.keywords).compile()
