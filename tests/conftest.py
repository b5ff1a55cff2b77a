"""Settings of all tests: strict number types, 64 bits on request, and shapes checked at run time."""

import atexit
import gc
import os
from pathlib import Path

import jax
import pytest
from jaxtyping import install_import_hook

X64, TRUST = (os.environ.get(f"PMP_TEST_{name}") == "1" for name in ("X64", "TRUST"))
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_enable_x64", X64)

# Thousands of compiled programs hold millions of objects. Python's garbage collector would take half of the run time.
gc.set_threshold(200_000, 50, 1000)

MAPS, MOST_MAPS = Path("/proc/self/maps"), 15_000 if TRUST else 30_000
SPARE = 3e9  # bytes

CHECKED = ["engine.planes", "graph", "exact", "factors", "solvers", "samplers", "models", "noise"]
with install_import_hook([] if TRUST else [f"pmp_kit.{name}" for name in CHECKED], "shape_checks.checked"):
    from pmp_kit.engine import memory

# `make trust` tests the errors that users see, so it runs without the shape checks and in its own process.
collect_ignore_glob = ([] if X64 else ["oracles/*"]) + ([] if TRUST else ["trust/*"])


def pytest_configure(config):
    """Refuse the oracles in float32, where hundreds of them would fail, or where pytest says that there are none."""
    if not X64 and any("oracles" in Path(argument).parts for argument in config.args):
        raise pytest.UsageError("tests/oracles: set PMP_TEST_X64=1 before the command, so that they run in float64")


@pytest.fixture(autouse=True, scope="function" if TRUST else "module")
def few_programs_in_memory():
    """Delete compiled programs after a file of tests, before they need more memory than there is.

    Each program takes some sixteen of the 65,530 memory maps that Linux allows a process, and the programs of 2,000
    tests took 6 GB. To delete one takes as long as a quick test. `make trust` looks after each test, because one of its
    files compiles as many.
    """
    yield
    if memory.available() < SPARE or (MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS):
        jax.clear_caches()
        gc.collect()


def pytest_unconfigure(config):
    """End a worker without deleting its programs one by one, which takes JAX ten seconds."""
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)
