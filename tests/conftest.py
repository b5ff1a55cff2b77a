"""Settings of every test: strict number types, 64 bits where asked for, shapes checked at run time."""

import gc
import os
from pathlib import Path

import jax
import pytest
from jaxtyping import install_import_hook

X64, TRUST = (os.environ.get(f"PMP_TEST_{name}") == "1" for name in ("X64", "TRUST"))
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_enable_x64", X64)

# Thousands of compiled programs are millions of objects: Python's collector would take half of the time to walk them.
gc.set_threshold(200_000, 50, 1000)

MAPS, MOST_MAPS = Path("/proc/self/maps"), 15_000

CHECKED = ["engine.planes", "graph", "exact", "factors", "solvers", "samplers", "models", "noise"]
with install_import_hook([] if TRUST else [f"pmp_kit.{name}" for name in CHECKED], "shape_checks.checked"):
    import pmp_kit  # noqa: F401

# `make trust` wants the errors that users see, so it runs without those checks, and is kept apart.
collect_ignore_glob = ([] if X64 else ["oracles/*"]) + ([] if TRUST else ["trust/*"])


@pytest.fixture(autouse=True, scope="module")
def few_programs_in_memory():
    """Forget compiled programs after a file of tests, before the process has more of them than Linux maps.

    Each takes several of the 65,530 maps that a process may have, and 2,000 tests took 6 GB.
    """
    yield
    if MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        jax.clear_caches()
        gc.collect()
