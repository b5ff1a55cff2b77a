"""With the wheel in a new environment, a user's script and all public names pass pyright in strict mode."""

import inspect
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine import planes

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("typed_user.py")
OUTSIDE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """A folder, and a Python that has the wheel of the kit, with its dependencies from this environment."""
    folder = tmp_path_factory.mktemp("user")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    places = [folder / "installed", *(place for place in sys.path if Path(place).name == "site-packages")]
    site = next((folder / "venv").rglob("site-packages"))
    (site / "kit.pth").write_text("\n".join(map(str, places)))
    settings = {"include": ["*.py"], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder, folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def members(kind: type) -> set[str]:
    """The public attributes that classes of the kit give a class."""
    own = [vars(each) for each in kind.__mro__ if each.__module__.startswith("pmp_kit")]
    return {name for each in own for name in {*each, *each.get("__annotations__", ())} if not name.startswith("_")}


def public() -> list[str]:
    """Every public function, class and attribute as a user writes it. The script covers generic names."""
    things = {f"pk.{name}": getattr(pk, name) for name in [*pk.__all__, "datasets", "pretrained"]}
    for path, module in [(path, thing) for path, thing in things.items() if inspect.ismodule(thing)]:
        for name, thing in vars(module).items():
            if not name.startswith("_") and getattr(thing, "__module__", "").startswith(module.__name__):
                things[f"{path}.{name}"] = thing
    classes = {
        path: kind for path, kind in things.items() if inspect.isclass(kind) and not hasattr(kind, "__parameters__")
    }
    return [*things, *(f"{path}.{name}" for path, kind in classes.items() for name in sorted(members(kind)))]


@pytest.mark.slow
def test_a_users_script_and_every_public_name_are_strictly_typed(user):
    folder, python = user
    shutil.copy(SCRIPT, folder)
    names = public()
    assert len(names) > 900
    (folder / "names.py").write_text("import pmp_kit as pk\n\n" + "\n".join(f"print({name})" for name in names))
    command = [sys.executable, "-m", "pyright", "--pythonpath", str(python), "--outputjson"]
    report = json.loads(subprocess.run(command, cwd=folder, env=OUTSIDE, capture_output=True, text=True).stdout)
    found = [f"{e['file']}:{e['range']['start']['line'] + 1} {e['message']}" for e in report["generalDiagnostics"]]
    assert report["summary"]["filesAnalyzed"] == 2
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_the_users_script_runs(user):
    folder, python = user
    command = [str(python), "-W", "error", str(SCRIPT)]
    done = subprocess.run(command, cwd=folder, env=OUTSIDE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_shapes_are_still_checked_at_run_time():
    """The import hook of the tests leaves other types to pyright."""
    with pytest.raises(TypeError, match="Type-check error"):
        planes.from_scores(np.zeros(3))
