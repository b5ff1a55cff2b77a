"""Make the optional environment of `make bench` with PGMax, which uses the project's own JAX, and so the same GPU."""

import shutil
import subprocess
import sys
from pathlib import Path

import venvs
from venvs import ROOT, say

NAME = ".venv-pgmax"
PACKAGES = ("pgmax==0.6.1", "numba==0.68.1", "llvmlite==0.50.0")
"""They are installed without their dependencies. JAX, NumPy and tqdm are those of the project's environment, and PGMax
does not use the others here (TensorFlow and Sphinx among them)."""
CHECK = "import equinox, pgmax, numba"


def ensure(project: Path) -> Path | None:
    """Return the Python of the environment, which is made if needed. If this fails, print why and return None.

    Args:
        project: the Python of the project's environment, whose packages this environment has as well.
    """
    folder = ROOT / NAME
    python = venvs.python_of(folder)
    if venvs.works(python, CHECK):
        return python
    try:
        shutil.rmtree(folder, ignore_errors=True)
        venvs.create(folder, sys.executable)
        (packages_of(python) / "project.pth").write_text(f"{packages_of(project)}\n")
        venvs.install(python, "--no-deps", *PACKAGES)
    except venvs.Missing as problem:
        say(f"PGMax is skipped: {problem}")
        return None
    if not venvs.works(python, CHECK):
        say(f"PGMax is skipped: it does not start with {', '.join(PACKAGES)}")
        return None
    return python


def packages_of(python: Path) -> Path:
    """Return the folder of an environment's packages."""
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.run([str(python), "-c", ask], capture_output=True, text=True, check=True).stdout.strip())
