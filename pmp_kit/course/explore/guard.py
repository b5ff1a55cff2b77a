"""The guard of a notebook: records what goes wrong outside of cells, where a notebook that is run does not stop.

Widgets print the exceptions of their callbacks and continue; threads and asyncio tasks fail silently. `install` in the
first cell records all of these in the list of failures of the explorers; `check` in the last cell raises them.
"""

import asyncio
import sys
import threading

from . import failure_list

PATIENCE = 5.0  # seconds that `check` waits for a thread


def install() -> None:
    """Watch this kernel from now on: tracebacks that are only shown, threads, asyncio tasks."""
    from IPython.core.getipython import get_ipython

    failure_list.clear_failures()
    failure_list.watch_threads()
    _watch_shell(get_ipython())
    _watch_tasks()


def check() -> None:
    """Raise the failures since `install` or the last check.

    Raises:
        AssertionError: every failure with its traceback; the list is empty afterwards.
    """
    for thread in threading.enumerate():
        ours = thread.name.startswith("pmp_kit")  # workers of `cores.threads` are kept and never end
        if not (thread.daemon or ours or thread in (threading.main_thread(), threading.current_thread())):
            thread.join(PATIENCE)
    try:
        failure_list.assert_no_failures()
    finally:
        failure_list.clear_failures()


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
    """Record the exceptions of asyncio tasks. Without a running loop (a plain script) there are none."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    make = loop.get_task_factory() or (lambda loop, work, **options: asyncio.Task(work, loop=loop, **options))
    if getattr(make, "records_failures", False):
        return

    def factory(loop, work, **options):
        task = make(loop, work, **options)
        task.add_done_callback(_note)
        return task

    factory.records_failures = True  # type: ignore[attr-defined]
    loop.set_task_factory(factory)  # type: ignore[arg-type]


def _note(task) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        failure_list.record(f"asyncio task {task.get_name()}", error)
        task.get_loop().call_exception_handler({"message": "a task failed", "exception": error, "task": task})
