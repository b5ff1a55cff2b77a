"""Measurements that need a new process: peak memory, and the first call with an empty or a filled compile cache.

The new process runs `main` of this file, which prints one line of JSON.
"""

import ctypes
import functools
import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jax
import numpy as np

from benchmarks.plain import plain
from pmp_kit.course.experiments.speed import timing, workloads

SWEEPS = 3
STATUS = pathlib.Path("/proc/self/status")
FIXED_THRESHOLD = {"MALLOC_MMAP_THRESHOLD_": str(2**17)}
"""Settings with which freed large arrays return to the system, so that resident memory equals used memory."""


def peak_memory(name: str, profile: str, who: str) -> float | None:
    """Memory in MB that SWEEPS sweeps of the kit or the plain form need besides model and program (Linux only).

    It is that of the GPU if there is one.
    """
    return _in_process(["memory", name, profile, who], FIXED_THRESHOLD) if STATUS.exists() else None


def first_calls(name: str, profile: str, times: int) -> dict[str, list[float]]:
    """Seconds of the first call of `sample` in new processes, with an empty and then with a filled compile cache."""
    found: dict[str, list[float]] = {"cold": [], "warm": []}
    for _ in range(times):
        with tempfile.TemporaryDirectory() as cache:
            settings = {
                "JAX_COMPILATION_CACHE_DIR": cache,
                "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
                "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            }
            for temperature in ("cold", "warm"):
                found[temperature].append(_in_process(["first", name, profile, "kit"], settings))
    return found


def _in_process(words: list[str], settings: dict[str, str]) -> float:
    command = [sys.executable, "-c", f"from {__name__} import main; main(*{words})"]
    paths = os.pathsep.join([str(pathlib.Path(__file__).parents[1]), *sys.path])
    done = subprocess.run(
        command, env={**os.environ, **settings, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def resident(field: str) -> int:
    """Memory in kilobytes. The field VmRSS is the current value, and VmHWM is the peak."""
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith(field))


def in_use() -> int:
    """Current memory in kilobytes, without garbage and without what was freed and kept for the next arrays.

    It is also without the sizes of texts that matplotlib keeps: for each figure those of the last 4,096 texts.
    """
    for kept in gc.get_objects():
        if isinstance(kept, functools._lru_cache_wrapper) and kept.__module__ == "matplotlib.text":
            kept.cache_clear()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return resident("VmRSS")


def reset_peak() -> None:
    """Let the peak of `resident` start from the current value."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def _memory(work: workloads.Workload, who: str) -> float:
    """Peak memory of a compiled run in MB, minus the memory of the process before the run."""
    key = jax.random.key(workloads.SEED)
    if who == "plain":
        form = plain(work).run
        compiled = jax.jit(lambda key: form(key, damping=0.5, num_sweeps=SWEEPS)).lower(key).compile()
        run = lambda: np.asarray(compiled(key))  # noqa: E731
    else:
        work.sample(key, work.algorithm, 0)
        run = lambda: work.sample(key, work.algorithm, SWEEPS)  # noqa: E731
    if jax.default_backend() != "cpu":
        stats = jax.devices()[0].memory_stats
        before = stats()["bytes_in_use"]
        run()
        return (stats()["peak_bytes_in_use"] - before) / 1e6
    before = in_use()
    reset_peak()
    run()
    return (resident("VmHWM") - before) / 1e3


def main(job: str, name: str, profile: str, who: str) -> None:
    """Make one measurement and print it."""
    work = workloads.build(name, profile)
    if job == "memory":
        print(json.dumps(_memory(work, who)))
    else:
        key = jax.block_until_ready(jax.random.key(workloads.SEED))
        print(json.dumps(timing.timed(work.sample, key, work.algorithm, 1)))
