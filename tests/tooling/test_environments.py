"""The files with package versions agree: lower bounds, exact pins, conda environments and Binder's build."""

import inspect
import re
from importlib import metadata
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import badges
import gate
import pins
import venvs

ROOT = Path(__file__).parents[2]
FLOORS = pins.requirements("test")
# The packages of the course that Colab already has (August 2026)
COLAB_HAS = {"anywidget", "ipywidgets", "jax", "jaxlib", "matplotlib", "numpy", "optax", "pillow", "pooch"}
COLAB_HAS |= {"scikit-learn", "scipy", "tqdm", "typing-extensions", "xarray"}
COLAB_HAS |= {"lazy-loader", "packaging"}  # with scikit-image and pooch; arviz-stats needs them from version 1 on
NOT_FOR_COLAB = {"jupyterlab", "papermill"}
PYTHONS = ["3.11.2", "3.12.4", "3.13.1", "3.14.0"]


def pinned(path: str, python: str) -> dict[str, Requirement]:
    """Return normal package name -> pin in a constraints file, for a Python version on Linux."""
    environment = {"python_full_version": python, "python_version": python.rpartition(".")[0], "sys_platform": "linux"}
    lines = [line for line in (ROOT / path).read_text().splitlines() if line and not line.startswith("#")]
    used = [r for r in map(Requirement, lines) if r.marker is None or r.marker.evaluate(environment)]
    assert len({pins.normal(r.name) for r in used}) == len(used), "a package is pinned twice for one Python"
    return {pins.normal(r.name): r for r in used}


def test_the_hook_before_a_commit_has_the_ruff_of_the_gate():
    (version,) = re.findall(r"ruff-pre-commit\n +rev: v(\S+)", (ROOT / ".pre-commit-config.yaml").read_text())
    assert str(pinned("constraints.txt", PYTHONS[0])["ruff"].specifier) == f"=={version}"


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("path", ["constraints.txt", ".ci/constraints-colab.txt"])
def test_pins_are_exact_and_meet_the_floors(path, python):
    constraints = pinned(path, python)
    assert all(re.fullmatch(r"==[\w.]+", str(pin.specifier)) and pin.url is None for pin in constraints.values())
    for floor in FLOORS:
        version = str(constraints[pins.normal(floor.name)].specifier)[2:]
        assert version in floor.specifier, f"{path} pins {floor.name} {version}, pyproject.toml says {floor}"


def test_the_newest_jax_of_each_python_is_pinned():
    oldest, *others = [str(pinned("constraints.txt", python)["jax"].specifier)[2:] for python in PYTHONS]
    assert Version(oldest) < Version(others[0])
    assert len(set(others)) == 1


def test_run_time_floors_are_what_the_frozen_lane_runs():
    constraints = pinned(".ci/constraints-colab.txt", PYTHONS[0])
    for floor in pins.requirements("course"):
        version = str(constraints[pins.normal(floor.name)].specifier)[2:]
        promised = str(floor.specifier)[2:]
        assert (version + ".").startswith(promised + "."), f"{floor.name}: {promised} is promised, {version} is tested"


def test_each_install_holds_the_smaller_ones():
    names = [{floor.name for floor in pins.requirements(*extras)} for extras in ((), ("diagnostics",), ("course",))]
    assert names[0] == {"jax", "jaxlib", "numpy", "equinox", "jaxtyping", "optax", "scipy", "tqdm"}
    assert names[1] - names[0] == {"arviz-stats"}
    assert names[0] < names[1] < names[2]
    for extra in ("test", "docs"):
        assert names[2] < {floor.name for floor in pins.requirements(extra)}


def test_make_installs_the_course(monkeypatch):
    """The extra that `make` installs unless told otherwise includes the course."""
    commands = []
    monkeypatch.setattr(
        venvs.subprocess, "run", lambda command, **options: commands.append(command) or CompletedProcess(command, 0)
    )
    extra = inspect.signature(venvs.ensure).parameters["extra"].default
    venvs.install("venv", Path("python"), None, extra)
    assert f".[{extra}]" in commands[0]
    assert {floor.name for floor in pins.requirements("course")} < {floor.name for floor in pins.requirements(extra)}
    venvs.install("venv", Path("python"), "versions.txt", "")
    assert "--no-deps" in commands[1]
    assert commands[1][-2:] == ["--requirement", "versions.txt"]


def test_colab_gets_what_it_lacks():
    """Colab's line is `pip install --no-deps`, so it must also list the dependencies that Colab lacks."""
    lacking, left = set(), [r for r in pins.requirements("course") if r.name not in NOT_FOR_COLAB]
    while left:
        requirement = left.pop()
        name = pins.normal(requirement.name)
        if name in COLAB_HAS | lacking:
            continue
        lacking.add(name)
        for line in metadata.requires(name) or []:
            needed = Requirement(line)
            extras = requirement.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                left.append(needed)
    assert lacking == set(badges.COLAB_LACKS)


def test_colab_installs_what_the_frozen_lane_tests():
    constraints = pinned(".ci/constraints-colab.txt", "3.13.0")
    listed = dict(line.split("==") for line in badges.colab_packages().split())
    assert set(listed) == set(badges.COLAB_LACKS)
    assert all(str(constraints[name].specifier) == f"=={version}" for name, version in listed.items())
    assert badges.colab_lines("owner/name").endswith(f" {badges.colab_packages()}\n")


def test_the_frozen_lane_runs_what_colab_has():
    """The versions that Colab lists in August 2026, on its Python."""
    versions = {name: str(pin.specifier)[2:] for name, pin in pinned(".ci/constraints-colab.txt", "3.13.0").items()}
    colab = {"jax": "0.7.2", "numpy": "2.1.3", "scipy": "1.16.3", "matplotlib": "3.10.0", "optax": "0.2.8"}
    colab |= {"ipywidgets": "7.7.1", "anywidget": "0.9.21", "ipykernel": "6.17.1", "ipython": "7.34.0"}
    assert versions.items() >= colab.items()
    assert versions["jupyterlab-widgets"] < "2"  # the part of ipywidgets 7 in the page
    assert gate.COLAB_PYTHON == "3.13"


def test_conda_environments_agree():
    top, binder = (path.read_text() for path in pins.ENVIRONMENTS)
    assert top == binder == pins.environment(), "run `make pins`, or copy environment.yml to binder/"


def test_conda_environment_has_no_pip_part():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert all(isinstance(line, str) for line in dependencies)
    assert "python=3.12" in dependencies


@pytest.mark.filterwarnings("ignore:pythonjsonlogger.jsonlogger has been moved:DeprecationWarning")
def test_binder_renders(monkeypatch):
    """repo2docker can render Binder's build. This needs no Docker."""
    from repo2docker.app import Repo2Docker

    monkeypatch.chdir(ROOT)
    app = Repo2Docker()
    candidates = (buildpack(app.base_image) for buildpack in app.buildpacks)
    chosen = next(buildpack for buildpack in candidates if buildpack.detect())
    chosen.platform = "linux/amd64"
    assert type(chosen).__name__ == "CondaBuildPack"
    assert chosen.python_version == "3.12"
    assert chosen._should_preassemble_env, "a local pip line switches off Binder's cached environment layer"
    dockerfile = chosen.render({})
    assert re.search(r"env update .*binder/environment\.yml", dockerfile)
    assert re.search(r"^RUN \./binder/postBuild$|binder/postBuild", dockerfile, re.MULTILINE)


def test_binder_installs_the_kit():
    post_build = ROOT / "binder/postBuild"
    assert post_build.stat().st_mode & 0o111, "Binder runs postBuild only if it is executable"
    assert "python -m pip install --no-deps -e ." in post_build.read_text()
