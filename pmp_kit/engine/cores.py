"""CPU cores: compiled calls that run in parallel threads, one for each core."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from typing import Any

import jax
from jax import experimental

from .devices import Devices, chosen

SETTINGS: dict[str, Any] = {
    "jax_enable_x64": vars(jax if hasattr(jax, "enable_x64") else experimental)["enable_x64"],  # JAX 0.7.2: the second
    "jax_threefry_partitionable": jax.threefry_partitionable,
    "jax_default_matmul_precision": jax.default_matmul_precision,
    "jax_debug_nans": jax.debug_nans,
}
"""Settings of JAX that change results, and their context managers, which hold in one thread only."""


def workers(devices: Devices | None = None) -> int:
    """Return how many compiled calls run in parallel threads: one for each CPU core, 1 on other devices.

    XLA itself rarely uses more than one core for these programs.
    """
    used = devices or chosen()
    if used[0].platform != "cpu" or len(used) > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(work: Callable, tasks: list, number: int) -> Iterator:
    """Yield work(task) for every task in order. With threads, `number` tasks run at the same time.

    At most `number` + 1 tasks are ahead of the one that is yielded, so that results do not pile up in memory.
    """
    one_at_a_time, set_here = threading.Lock(), {name: getattr(jax.config, name) for name in SETTINGS}

    def finished(task):
        with ExitStack() as settings:
            for name, value in set_here.items():
                if getattr(jax.config, name) != value:
                    settings.enter_context(SETTINGS[name](value))
            with one_at_a_time:  # one thread traces and compiles at a time; the computations then run in parallel
                result = work(task)
            return jax.block_until_ready(result)

    pool = threads() if number > 1 and len(tasks) > 1 else None
    if pool is None:
        yield from map(finished, tasks)
        return
    ahead: deque[Future] = deque()
    try:
        for task in tasks:
            ahead.append(pool.submit(finished, task))
            if len(ahead) > number:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        for future in ahead:
            future.cancel()


@cache
def threads() -> ThreadPoolExecutor | None:
    """Return threads for all cores, or None where the system cannot start them (in a browser, or at a process limit).

    They are kept, because a new thread costs JAX half a millisecond. All start here, so that none can fail later.
    """
    pool, all_started = ThreadPoolExecutor(workers(), thread_name_prefix="pmp_kit"), threading.Event()
    try:
        for _ in range(workers()):
            pool.submit(all_started.wait)
    except RuntimeError:  # can't start new thread
        pool.shutdown(wait=False, cancel_futures=True)
        return None
    finally:
        all_started.set()
    return pool
