"""The files with package versions agree: lower bounds, exact pins, conda environments and Binder's build."""

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import badges
import pins

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


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("path", ["constraints.txt", ".ci/constraints-colab.txt"])
def test_pins_are_exact_and_meet_the_floors(path, python):
    constraints = pinned(path, python)
    assert all(re.fullmatch(r"==[\w.]+", str(pin.specifier)) and pin.url is None for pin in constraints.values())
    for floor in FLOORS:
        version = str(constraints[pins.normal(floor.name)].specifier)[2:]
        assert version in floor.specifier, f"{path} pins {floor.name} {version}, pyproject.toml says {floor}"


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


def test_conda_environments_agree():
    top, binder = (path.read_text() for path in pins.ENVIRONMENTS)
    assert top == binder == pins.environment(), "run `make pins`, or copy environment.yml to binder/"


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
