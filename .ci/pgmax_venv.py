"""Make the optional environment of `make bench` with PGMax and a version of JAX on which PGMax runs."""

import os
import shutil
import subprocess
from pathlib import Path

import venvs
from venvs import ROOT, say

NAME = ".venv-pgmax"
PACKAGES = ("jax==0.4.30", "jaxlib==0.4.30", "numpy==1.26.4", "scipy==1.13.1", "numba==0.60.0", "tqdm==4.67.1")
PGMAX = "pgmax==0.6.1"
"""PGMax is installed without its dependencies, because TensorFlow and Sphinx are among them and are not used here."""
CHECK = "from pgmax import fgraph, fgroup, infer, vgroup"


def ensure() -> Path | None:
    """Return the Python of the environment, which is made if needed. If this fails, print why and return None."""
    folder = ROOT / NAME
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if venvs.works(python, CHECK):
        return python
    try:
        shutil.rmtree(folder, ignore_errors=True)
        venvs.create(folder)
        install(python, *PACKAGES)
        install(python, "--no-deps", PGMAX)
    except venvs.Missing as problem:
        say(f"PGMax is skipped: {problem}")
        return None
    if not venvs.works(python, CHECK):
        say(f"PGMax is skipped: it does not start with {', '.join(PACKAGES)}")
        return None
    return python


def install(python: Path, *words: str) -> None:
    """Install packages from the package index."""
    if shutil.which("uv"):
        command = ["uv", "pip", "install", "--quiet", "--python", str(python), *words]
    else:
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *words]
    say(f"installing {' '.join(words)} into {NAME}")
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise venvs.Missing((done.stdout.strip().splitlines() or ["installing failed"])[-1])
