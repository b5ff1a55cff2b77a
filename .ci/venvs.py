"""Make virtual environments. One is updated if its inputs change, and made again if the project's folder has moved."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = "pmp_kit.json"
UNAVAILABLE = 69  # the exit code of a check whose tools could not be installed, as in sysexits.h
QUIET_LAB = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


class Missing(Exception):
    """An error for something missing that the set-up needs. The message names it and says how to fix it."""


def say(text: str) -> None:
    """Print one line about the current step and flush the output."""
    print(f"==> {text}", flush=True)


def find_python(version: str) -> str | None:
    """Return the command of a Python of this version, such as "3.13", or None if none is found that starts.

    It looks at the running Python, at the PATH, and in the folder where pyenv keeps its versions.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = sorted(pyenv.glob(f"{version}.*/bin/python"), key=lambda path: path.parts[-3], reverse=True)
    own = getattr(sys, "_base_executable", sys.executable)
    found = [own, shutil.which(f"python{version}"), *map(str, kept)]
    return next((command for command in found if command and version_of(command) == version), None)


def version_of(python: str) -> str:
    """Return the version of a Python, such as "3.13", or an empty string if it does not start."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def ensure(
    name: str = ".venv", constraints: str | None = "constraints.txt", extra: str = "test", base: str | None = None
) -> Path:
    """Return the Python of the environment `name`. The environment is made or updated first if needed.

    `extra` is one of the groups of packages in pyproject.toml. `test` and `docs` contain the course. If it is empty,
    exactly the packages in `constraints` are installed. `base` is the Python that the environment is made with, by
    default the running one.
    """
    base = base or getattr(sys, "_base_executable", sys.executable)
    folder = ROOT / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = fingerprint(constraints, version_of(base))
    if constraints and works(python) and read_stamp(folder) == wanted:
        say(f"environment {name} is ready")
        return python
    start = time.monotonic()
    reason = why_anew(folder, python, wanted) if constraints or not folder.exists() else "there may be newer versions"
    if reason:
        say(f"removing {name}: {reason}")
        shutil.rmtree(folder)
    if not folder.exists():
        create(folder, base)
    (folder / STAMP).unlink(missing_ok=True)
    install(name, python, constraints, extra)
    settings = folder / "share/jupyter/lab/settings/overrides.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(QUIET_LAB))
    (folder / STAMP).write_text(json.dumps(wanted))
    say(f"environment {name} is ready after {time.monotonic() - start:.0f} s")
    return python


def fingerprint(constraints: str | None, version: str) -> dict[str, str]:
    """Return the inputs of an environment: its path, the Python and the text of the files that list packages."""
    files = ["pyproject.toml"] if constraints is None else ["pyproject.toml", constraints]
    text = b"".join((ROOT / file).read_bytes() for file in files)
    return {"folder": str(ROOT), "python": version, "packages": hashlib.sha256(text).hexdigest()}


def read_stamp(folder: Path) -> dict[str, str]:
    """Return the inputs from which the environment was made, or {} if it was never completed."""
    stamp = folder / STAMP
    return json.loads(stamp.read_text()) if stamp.exists() else {}


def works(python: Path, code: str = "") -> bool:
    """Return whether this Python starts and runs the code."""
    return python.exists() and subprocess.run([str(python), "-c", code], capture_output=True).returncode == 0


def why_anew(folder: Path, python: Path, wanted: dict[str, str]) -> str:
    """Return why an existing environment cannot be updated, or an empty string if it can or if there is none."""
    if not folder.exists():
        return ""
    if not works(python):
        return "its Python does not start any more"
    version = version_of(str(python))
    if version != wanted["python"]:
        return f"it has Python {version}, and {wanted['python']} was asked for"
    if read_stamp(folder).get("folder", wanted["folder"]) != wanted["folder"]:
        return "the project's folder has moved"
    has_pip = works(python, "import pip")
    return "" if has_pip or shutil.which("uv") else "it was made by uv, which is not on the PATH now"


def create(folder: Path, base: str) -> None:
    """Make an empty environment with uv if it is on the PATH, and with Python's venv otherwise."""
    version = version_of(base) or f"{sys.version_info.major}.{sys.version_info.minor}"
    if shutil.which("uv"):
        say(f"making {folder.name} with uv, Python {version}")
        if subprocess.run(["uv", "venv", "--quiet", "--python", base, str(folder)]).returncode:
            raise Missing("uv venv failed, see above")
        return
    say(f"making {folder.name} with {base} -m venv, Python {version}")
    check = [base, "-c", "import ensurepip, venv"]
    if subprocess.run(check, capture_output=True).returncode:
        raise Missing(
            f"this Python ({base}) comes without its venv module, so no environment can be made.\n"
            f"  Debian, Ubuntu: sudo apt install python{version}-venv\n"
            "  or install uv (https://docs.astral.sh/uv), which needs no venv module; then run the same command again"
        )
    if subprocess.run([base, "-m", "venv", str(folder)]).returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise Missing(f"{base} -m venv failed, see above")


def installer(python: Path) -> list[str]:
    """Return the command that installs the packages that are added to it, by uv if it is on the PATH."""
    if shutil.which("uv"):
        return ["uv", "pip", "install", "--python", str(python)]
    return [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]


def install(name: str, python: Path, constraints: str | None, extra: str) -> None:
    """Install the project in editable mode, with one of its extras or exactly the packages in `constraints`."""
    command = [*installer(python), "--editable", f".[{extra}]" if extra else "."]
    if not sys.stdout.isatty():
        command.append("--quiet")
    if constraints:
        command += ["--constraint", constraints] if extra else ["--no-deps", "--requirement", constraints]
    versions = f"the versions in {constraints}" if constraints else "the newest versions"
    say(f"installing about 160 packages into {name}, {versions} (once; a few minutes)")
    if subprocess.run(command, cwd=ROOT).returncode:
        raise Missing(
            "installing failed, see above. The first time needs a network connection; run the same command again"
        )
