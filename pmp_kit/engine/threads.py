"""CPU cores: compiled calls that run in parallel threads, one for each core."""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from functools import cache

from .devices import Devices, chosen
from .quota import cores

TICK = 0.1
"""Seconds between two looks at the progress of the threads."""


def workers(devices: Devices | None = None) -> int:
    """Return how many compiled calls run in parallel threads: one for each CPU core, 1 on other devices.

    XLA itself rarely uses more than one core for these programs.
    """
    used = devices or chosen()
    return 1 if used[0].platform != "cpu" or len(used) > 1 else available()


available = cache(cores)  # reading the files of the system takes a fraction of a millisecond


def side_by_side(work: Callable, parts: list, number: int, report: Callable[[float], None]) -> Iterator:
    """Yield work(part, step) for every part in order. With threads, `number` parts run at the same time.

    At most `number` + 1 parts are ahead of the one that is yielded, so that results do not pile up in memory. If the
    caller stops, by Ctrl-C or by leaving the loop, each thread ends after its present compiled call.

    Args:
        work: a function that runs compiled programs and compiles nothing. It calls step(amount) after each program.
        parts: its arguments.
        number: the number of threads.
        report: called in the calling thread with these amounts.
    """
    executor = pool() if number > 1 and len(parts) > 1 else None
    if executor is None:
        for part in parts:
            yield work(part, report)
        return
    amounts, stopped = queue.SimpleQueue(), threading.Event()

    def step(amount):
        amounts.put(amount)
        if stopped.is_set():
            raise CancelledError

    def first_result():
        while not ahead[0].done():
            wait([ahead[0]], timeout=TICK)
            while not amounts.empty():
                report(amounts.get())
        return ahead.popleft().result()

    ahead: deque[Future] = deque()
    try:
        for part in parts:
            ahead.append(executor.submit(work, part, step))
            if len(ahead) > number:
                yield first_result()
        while ahead:
            yield first_result()
    finally:
        stopped.set()
        for future in ahead:
            future.cancel()
        wait(ahead)  # no work goes on behind the caller; a second Ctrl-C ends the waiting alone


@cache
def pool() -> ThreadPoolExecutor | None:
    """Return threads for all cores, or None where the system cannot start them (in a browser, or at a process limit).

    They are kept, because a new thread costs JAX half a millisecond. All start here, so that none can fail later.
    """
    executor, all_started = ThreadPoolExecutor(workers(), thread_name_prefix="pmp_kit"), threading.Event()
    try:
        for _ in range(workers()):
            executor.submit(all_started.wait)
    except RuntimeError:  # can't start new thread
        executor.shutdown(wait=False, cancel_futures=True)
        return None
    finally:
        all_started.set()
    return executor
