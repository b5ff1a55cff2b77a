"""In an empty environment: the wheel alone runs the first notebook, and Binder's steps give a kit that imports."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

import pins
import venvs

ROOT = Path(__file__).parents[2]
PIP_NAMES = {conda: pip for pip, conda in pins.CONDA_NAMES.items()}
SEARCH = "PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH", "VIRTUAL_ENV"

pytestmark = pytest.mark.all  # each installs some hundred packages


@pytest.fixture
def empty(tmp_path):
    """An environment with nothing in it, and what runs a command there, far from the project's folder."""
    venvs.create(tmp_path / "venv")
    outside = {name: value for name, value in os.environ.items() if name not in SEARCH}
    programs = tmp_path / "venv/bin"
    (tmp_path / "home").mkdir()
    outside |= {"HOME": str(tmp_path / "home"), "PATH": f"{programs}{os.pathsep}{outside['PATH']}"}

    def run(*command, cwd=tmp_path):
        done = subprocess.run([*map(str, command)], cwd=cwd, env=outside, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def install(*what):
        if shutil.which("uv"):
            return run("uv", "pip", "install", "--python", programs / "python", *what)
        return run("python", "-m", "pip", "install", *what)

    return run, install


def copy_of_the_project(folder: Path) -> Path:
    """The tracked files, as Binder gets them."""
    archive = folder / "project.tar"
    subprocess.run(["git", "archive", "--output", str(archive), "HEAD"], cwd=ROOT, check=True)
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "project", filter="data")
    return folder / "project"


def test_the_wheel_alone_runs_the_first_notebook(empty, tmp_path):
    run, install = empty
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    install(next(tmp_path.glob("*.whl")), "--constraint", ROOT / "constraints.txt")
    shutil.copy(ROOT / "notebooks/00_start_here.ipynb", tmp_path)
    run("papermill", "00_start_here.ipynb", "executed.ipynb")
    where = run("python", "-c", "import pmp_kit; print(pmp_kit.__file__)")
    assert Path(where.strip()).is_relative_to(tmp_path / "venv")


def test_binders_steps_without_conda(empty, tmp_path):
    """Its packages from the package index instead of conda-forge; the rest as Binder does it."""
    run, install = empty
    project = copy_of_the_project(tmp_path)
    listed = yaml.safe_load((project / "binder/environment.yml").read_text())["dependencies"]
    wanted = dict(line.split("=") for line in listed if "=" in line and not line.startswith("python="))
    exact = [f"{PIP_NAMES.get(name, name)}=={version}" for name, version in wanted.items()]
    install("pip", "hatchling", *exact)
    run(project / "binder/postBuild", cwd=project)
    where = run("python", "-c", "import pmp_kit; print(pmp_kit.__file__)")
    assert Path(where.strip()).is_relative_to(project)
    assert "4." in run("jupyter", "lab", "--version")
    assert "PromptConnection" in run("jupyter", "server", "--show-config")
