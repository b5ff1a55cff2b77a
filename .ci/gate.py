"""The stages of `make lint`, `make test` and the lanes. All are run and timed, and the failing ones are named."""

import functools
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import venvs
from venvs import ROOT, say

COLAB = ".ci/constraints-colab.txt"
COLAB_PYTHON = "3.13"
TOO_NEW_FOR_COLAB = (3, 14)
NEWEST_PYTHON = "3.13"
# The file is loaded by its path, because the package needs JAX and the Python of `make` has none.
SPEC = importlib.util.spec_from_file_location("quota", ROOT / "pmp_kit/engine/quota.py")
quota = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(quota)
FIRST_PAGES = ("00_start_here", "01_energies", "02_messages", "03_noise", "04_the_pmp_sampler", "05_learning")
ON_OLD_WIDGETS = [f"tests/browser/test_explorers.py::test_every_control[{page}.ipynb-Light]" for page in FIRST_PAGES]
"""The browser tests for JupyterLab 3.6 with ipywidgets 7.7.1. They run the pages 00 to 05."""
WORKERS = min(4, quota.cores())
# Each worker starts with consecutive tests, because neighbouring tests share compiled programs.
PARALLEL = ["-n", str(WORKERS), "--dist", "worksteal"]
# A notebook takes up to a minute, so notebooks are handed out one by one. Kernels and browsers wait for each other a
# quarter of the time, so one worker more keeps all processors busy.
ONE_BY_ONE = ["-n", str(WORKERS + 1), "--dist", "load", "--maxschedchunk", "1"]
# Library tests compile many small functions once and run each for milliseconds. XLA's older emitters need a fifth of
# the compile time at LLVM's level 0 and a third at level 1. `make test-all` uses level 1 because its tests run longer.
# Notebooks draw many samples, so they use level 1, which saves a fifth of their time. `make test-all`, `make frozen`
# and `make newest` run them with JAX's own settings, as readers do. A second run finds the programs in a cache.
LEVEL = "--xla_backend_optimization_level={}"
EMITTERS = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
CACHE = {
    "JAX_COMPILATION_CACHE_DIR": str(ROOT / ".cache/jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}
NOT_LIBRARY = ["--ignore=tests/oracles", "--ignore=tests/notebooks", "--ignore=tests/browser"]
SKIPPED = "skipped"


class Stage(NamedTuple):
    """One command of the gate. If `skip` is set, the command is not run, and the reason is printed instead."""

    name: str
    command: list[str]
    environment: dict[str, str] = {}  # noqa: RUF012  (never changed)
    skip: str = ""


def lint(python: Path) -> list[Stage]:
    """Return the stages that read the code without running it."""
    module = [str(python), "-m"]
    return [
        Stage("style", [*module, "ruff", "check", "."]),
        Stage("format", [*module, "ruff", "format", "--check", "."]),
        Stage("JavaScript", [str(python), ".ci/javascript.py"]),
        Stage("types", [*module, "pyright", "--pythonpath", str(python)]),
    ]


def suite(python: Path, everything: bool = False, title: str = "") -> list[Stage]:
    """Return the stages that run the tests. With a title, which is added to their names, pages run as readers see them.

    With `everything`, the tests that take long are run, too.
    """
    pytest = [str(python), "-m", "pytest", *(["-m", ""] if everything else [])]
    quick = [] if everything else ["-m", "not all and not slow"]
    library, oracles = compile_fast(python, level=int(everything)), compile_fast(python) | {"PMP_TEST_X64": "1"}
    pages = {} if everything or title else compile_fast(python, level=1)
    stages = [
        Stage("library", [*pytest, *quick, *PARALLEL, *NOT_LIBRARY, "tests"], library),
        Stage("oracles in float64", [*pytest, *quick, *PARALLEL, "tests/oracles"], oracles),
        Stage("browser and notebooks", [*pytest, *ONE_BY_ONE, "tests/browser", "tests/notebooks"], pages),
    ]
    return [stage._replace(name=f"{stage.name}, {title}") for stage in stages] if title else stages


def browser(python: Path) -> list[Stage]:
    """Return the stage that tries every page and every explorer in a real browser, in the light and the dark theme."""
    return [Stage("browser", [str(python), "-m", "pytest", "-m", "", *ONE_BY_ONE, "tests/browser"])]


def installs(python: Path) -> list[Stage]:
    """Return the stage that installs the library, the course and Binder's environment into empty environments."""
    return [Stage("installs", [str(python), "-m", "pytest", "-m", "", "tests/tooling/test_clean_install.py"])]


def slow(python: Path) -> list[Stage]:
    """Return the stages of the library and oracle tests that `make test` leaves out because they take long."""
    pytest = [str(python), "-m", "pytest", "-m", "slow and not all", *PARALLEL]
    return [
        Stage("slow library tests", [*pytest, *NOT_LIBRARY, "tests"], compile_fast(python, level=1)),
        Stage("slow oracles in float64", [*pytest, "tests/oracles"], compile_fast(python) | {"PMP_TEST_X64": "1"}),
    ]


def paper(python: Path) -> list[Stage]:
    """Return the stage that runs the pages of the paper's shelf in their quick profile."""
    return [Stage("paper's shelf", [str(python), "-m", "pytest", *PARALLEL, "-m", "paper", "tests/notebooks"])]


def trust(python: Path) -> list[Stage]:
    """Return the stage that tests random input of every kind."""
    command = [str(python), "-m", "pytest", "-q", "tests/trust", "tests/laws/test_scale_properties.py"]
    return [Stage("trust", command, {"PMP_TEST_TRUST": "1", "JAX_COMPILATION_CACHE_DIR": str(ROOT / ".cache/jax")})]


def frozen() -> list[Stage]:
    """Return the stages on Colab's versions and its Python, or on the running Python if Colab's is not found.

    It is one skipped stage if these versions were never built for the running Python.
    """
    base, title = venvs.find_python(COLAB_PYTHON), "Colab's versions"
    if base is None and sys.version_info >= TOO_NEW_FOR_COLAB:
        version = ".".join(map(str, sys.version_info[:2]))
        reason = f"no Python {COLAB_PYTHON} found, and jax 0.7.2 and its time have no wheels for Python {version}"
        return [Stage(title, [], skip=reason)]
    python = venvs.ensure(".venv-colab", COLAB, extra="", base=base)
    browser = [str(python), "-m", "pytest", "-m", "", *ONE_BY_ONE, *ON_OLD_WIDGETS]
    return [*lane(title, python), Stage(f"browser, {title}", browser)]


def newest() -> list[Stage]:
    """Return all tests of `make test` on the newest versions that the floors allow."""
    python = venvs.ensure(".venv-newest", None, base=venvs.find_python(NEWEST_PYTHON))
    return suite(python, title="newest versions")


def lane(title: str, python: Path) -> list[Stage]:
    """Return the library and notebook stages in a separate environment."""
    pytest = [str(python), "-m", "pytest", *PARALLEL]
    library = [*pytest, "-m", "not all and not slow", *NOT_LIBRARY, "--ignore=tests/tooling", "tests"]
    return [
        Stage(f"library, {title}", library, compile_fast(python)),
        Stage(f"notebooks, {title}", [*pytest, "tests/notebooks"]),
    ]


@functools.cache
def compile_fast(python: Path, level: int = 0) -> dict[str, str]:
    """Return environment variables for fast compilation, with the XLA flags that the installed JAX supports."""
    for flags in (f"{LEVEL.format(level)} {EMITTERS}", LEVEL.format(level)):
        environment = CACHE | {"XLA_FLAGS": flags}
        start = [str(python), "-c", "import jax; jax.devices()"]  # exits at once if a flag is unknown
        if subprocess.run(start, env=test_environment() | environment, capture_output=True).returncode == 0:
            return environment
    return CACHE


def run(stages: list[Stage]) -> int:
    """Run all stages one after the other, print a table, and return 1 if any failed."""
    results, reasons = [], {}
    for stage in stages:
        if stage.skip:
            results.append((stage.name, SKIPPED, 0.0))
            reasons[stage.name] = stage.skip
            continue
        say(f"{stage.name}: {Path(stage.command[0]).name} {' '.join(stage.command[1:])}")
        start = time.monotonic()
        code = subprocess.run(stage.command, cwd=ROOT, env=test_environment() | stage.environment).returncode
        outcome = "passed" if code == 0 else f"FAILED, exit {code}"
        results.append((stage.name, outcome, time.monotonic() - start))
        say(f"{stage.name}: {outcome} after {results[-1][2]:.1f} s\n")
    return report(results, reasons)


def report(results: list[tuple[str, str, float]], reasons: dict[str, str]) -> int:
    """Print one line for each stage and then the failing stages. Return 1 if any failed and 0 otherwise."""
    say("summary")
    for name, outcome, seconds in results:
        print(f"    {name:32} {outcome:18} {seconds:7.1f} s {reasons.get(name, '')}")
    failed = [name for name, outcome, _ in results if outcome.startswith("FAILED")]
    total = sum(seconds for _, _, seconds in results)
    skipped = [name for name, outcome, _ in results if outcome == SKIPPED]
    passed = f"all others passed, skipped: {', '.join(skipped)}" if skipped else "all passed"
    say(f"FAILED: {', '.join(failed)} ({total:.0f} s)" if failed else f"{passed} ({total:.0f} s)")
    return 1 if failed else 0


def test_environment() -> dict[str, str]:
    """Return the environment variables of a test process, which set one thread for BLAS and no accelerator."""
    defaults = {
        "JAX_PLATFORMS": "cpu",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
    }
    return defaults | dict(os.environ)
