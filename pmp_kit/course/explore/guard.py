"""The guard of a notebook: records what goes wrong outside of cells, where a notebook that is run does not stop.

Widgets print the exceptions of their callbacks and continue; threads, asyncio tasks and scripts of the page fail
silently, and a wrong number is only shown. `install` in the first cell records all of these, and `check`, the last line
of the last cell, raises them.
"""

import asyncio
import ctypes
import re
import sys
import threading
import time
import weakref
from typing import Any

from ..experiments import results as records
from . import failure_list

PATIENCE = 60.0  # seconds that `check` waits for threads: warm-ups compile, perhaps on a slow machine
WORKER = re.compile(r"(pmp_kit|asyncio|ThreadPoolExecutor-\d+)_\d+")
"""Names of threads that never end, because they wait for more work, and whose exceptions their callers get."""
MEMORY = {"M_MMAP_THRESHOLD": (-3, 2**25), "M_TRIM_THRESHOLD": (-1, 2**24), "M_ARENA_MAX": (-8, 2)}
"""Options of glibc's memory, by name: number and value."""

_tasks: weakref.WeakSet[Any] = weakref.WeakSet()
_before: set[threading.Thread] = set()
"""The threads that were there at the first `install`: those of the kernel."""


def install() -> None:
    """Watch this kernel from now on: tracebacks that are only shown, threads, asyncio tasks, recorded numbers."""
    from IPython.core.getipython import get_ipython

    _use_freed_memory_again()
    failure_list.clear_failures()
    records.disagreeing.clear()
    if not _before:  # a first cell that is run again finds threads of the page
        _before.update(threading.enumerate())
    failure_list.watch_threads()
    _watch_shell(get_ipython())
    _watch_tasks()


def check() -> None:
    """Wait for the threads of the page, and raise what went wrong since `install` or the last check.

    Raises:
        AssertionError: every failure with its traceback, and every thread that did not end; the list is empty
            afterwards.
        Disagreement: a number that `record` showed does not agree with its reference.
    """
    _wait_for_threads()
    for task in list(_tasks):
        # Python logs what this attribute says, and only when the task is deleted, perhaps after this check.
        if task.done() and task._log_traceback:
            failure_list.record(f"asyncio task {task.get_name()}", task.exception() or "no exception")
    try:
        failure_list.assert_no_failures(where="outside of cells")
    finally:
        failure_list.clear_failures()
    records.assert_agreement()


def _wait_for_threads() -> None:
    """Wait until the threads that started after `install` have ended, and record those that have not."""
    end = time.monotonic() + PATIENCE
    for thread in set(threading.enumerate()) - _before:
        if thread.daemon or thread is threading.current_thread() or WORKER.fullmatch(thread.name):
            continue
        thread.join(max(0.0, end - time.monotonic()))
        if thread.is_alive():
            failure_list.record(
                f"thread {thread.name}",
                f"still running after {PATIENCE:g} s: wait for its end, or stop it by its button, and run this cell "
                "again; what fails later would not be seen",
            )


def _watch_shell(shell) -> None:
    """Record every traceback that the shell shows: exceptions of callbacks and of `with Output()`.

    Errors of cells, which are shown with `running_compiled_code`, are left out: they stop a notebook that is run.
    """
    if shell is None or getattr(shell.showtraceback, "records_failures", False):
        return
    show = shell.showtraceback

    def showtraceback(exc_tuple=None, *args, **kwargs):
        error = (exc_tuple or sys.exc_info())[1]
        if error is not None and not kwargs.get("running_compiled_code"):
            failure_list.record("a traceback on the page", error)
        show(exc_tuple, *args, **kwargs)

    showtraceback.records_failures = True  # type: ignore[attr-defined]
    shell.showtraceback = showtraceback


def _watch_tasks() -> None:
    """Record what asyncio reports, and remember the tasks. Without a running loop (a plain script) there are none.

    asyncio reports an exception that nobody retrieved when its task is deleted; `check` looks at the tasks that are
    still there.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    make = loop.get_task_factory() or (lambda loop, work, **options: asyncio.Task(work, loop=loop, **options))
    if getattr(make, "records_failures", False):
        return
    tell = loop.get_exception_handler() or (lambda loop, context: loop.default_exception_handler(context))

    def factory(loop, work, **options):
        task = make(loop, work, **options)
        _tasks.add(task)
        return task

    def handler(loop, context):
        if context.get("exception") is not None:
            failure_list.record(f"asyncio: {context['message']}", context["exception"])
        tell(loop, context)

    factory.records_failures = True  # type: ignore[attr-defined]
    loop.set_task_factory(factory)  # type: ignore[arg-type]
    loop.set_exception_handler(handler)


def _use_freed_memory_again() -> None:
    """Let this kernel use 16 MB of freed arrays again, where Python runs on glibc.

    Otherwise Linux takes this memory back, and the next arrays wait for thousands of page faults: a sampler in NumPy
    needs three times as long. New threads share two pools of memory, so that those of explorers keep little each.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for number, value in MEMORY.values():
            mallopt(number, value)
