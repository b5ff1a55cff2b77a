"""In an empty environment, the wheel installs the library alone; its extra and Binder's steps install the course."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml
from readme_blocks import FIRST

import pins
import venvs

ROOT = Path(__file__).parents[2]
PIP_NAMES = {conda: pip for pip, conda in pins.CONDA_NAMES.items()}
SEARCH = "PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH", "VIRTUAL_ENV"
MOST_PACKAGES = 20
NOT_OF_THE_LIBRARY = {
    *("IPython", "ipykernel", "ipywidgets", "anywidget", "jupyter_core", "jupyterlab", "notebook", "papermill"),
    *("matplotlib", "PIL", "sklearn", "pooch", "pandas", "xarray", "arviz_stats", "traitlets", "tornado", "zmq"),
}
LISTING = "import importlib.metadata as m; print(*{d.metadata['Name'].lower() for d in m.distributions()})"
FROM_THE_COURSE = (
    *("import pmp_kit as pk; pk.explore", "import pmp_kit as pk; pk.datasets", "import pmp_kit as pk; pk.pretrained"),
    *("from pmp_kit import plot", "from pmp_kit.course import exercises", "import pmp_kit.course.experiments.zeros"),
)


@pytest.fixture
def empty(tmp_path):
    """An empty environment and a function that runs commands in it, outside of the project's folder."""
    venvs.create(tmp_path / "venv", getattr(sys, "_base_executable", sys.executable))
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
    """Copy the tracked files, which are the files that Binder gets."""
    archive = folder / "project.tar"
    subprocess.run(["git", "archive", "--output", str(archive), "HEAD"], cwd=ROOT, check=True)
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "project", filter="data")
    return folder / "project"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    return next(folder.glob("*.whl"))


@pytest.mark.slow  # installs 14 packages: 15 s with a cache, a minute without
def test_the_wheel_alone_is_the_library(empty, wheel, tmp_path):
    run, install = empty
    before = set(run("python", "-c", LISTING).split())
    install(wheel, "--constraint", ROOT / "constraints.txt")
    came = set(run("python", "-c", LISTING).split()) - before
    print(f"pip install . brings {len(came)} packages: {', '.join(sorted(came))}")
    assert "pmp_kit" in came
    assert len(came) <= MOST_PACKAGES
    example = tmp_path / "example.py"
    example.write_text(f"{FIRST}\nimport sys\nprint('loaded', *{{name.split('.')[0] for name in sys.modules}})")
    said = run("python", "-W", "error", example)
    assert "of the spins are up" in said
    assert not set(said.split("loaded ")[1].split()) & NOT_OF_THE_LIBRARY
    spec = "from importlib.util import find_spec; print(*[name for name in {} if find_spec(name)])"
    assert not run("python", "-c", spec.format(sorted(NOT_OF_THE_LIBRARY))).split()
    for code in FROM_THE_COURSE:
        tried = f"try:\n    exec({code!r})\nexcept ModuleNotFoundError as error:\n    print(error)"
        assert 'install the course with: pip install "pmp_kit[course]"' in run("python", "-c", tried), code
    assert "fit" in run("python", "-c", "from pmp_kit import *; print(fit.__name__)")


@pytest.mark.all  # installs some hundred packages
def test_the_wheel_with_the_course_runs_the_first_notebook(empty, wheel, tmp_path):
    run, install = empty
    install(f"{wheel}[course]", "--constraint", ROOT / "constraints.txt")
    shutil.copy(ROOT / "notebooks/00_start_here.ipynb", tmp_path)
    run("papermill", "00_start_here.ipynb", "executed.ipynb")
    where = run("python", "-c", "import pmp_kit; print(pmp_kit.__file__)")
    assert Path(where.strip()).is_relative_to(tmp_path / "venv")


@pytest.mark.all
def test_binders_steps_without_conda(empty, tmp_path):
    """The packages come from the package index instead of conda-forge. The other steps are those of Binder."""
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
