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
    """Return the Python of the environment `name`, which is made first if it is missing or its inputs have changed.

    `extra` is one of the groups of packages in pyproject.toml. `test` and `docs` contain the course. If it is empty,
    exactly the packages in `constraints` are installed. `base` is the Python that the environment is made with, by
    default the running one. Without `constraints`, the newest versions are installed, each time anew.
    """
    base = base or getattr(sys, "_base_executable", sys.executable)
    folder = ROOT / name
    python, stamp = python_of(folder), folder / STAMP
    wanted = fingerprint(constraints, version_of(base))
    if constraints and works(python) and stamp.exists() and json.loads(stamp.read_text()) == wanted:
        say(f"environment {name} is ready")
        return python
    start = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    create(folder, base)
    words = ["--editable", f".[{extra}]" if extra else "."]
    if constraints:
        words += ["--constraint", constraints] if extra else ["--no-deps", "--requirement", constraints]
    versions = f"the versions in {constraints}" if constraints else "the newest versions"
    say(f"installing about 160 packages into {name}, {versions} (once; a minute or two)")
    install(python, *words)
    settings = folder / "share/jupyter/lab/settings/overrides.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(QUIET_LAB))
    stamp.write_text(json.dumps(wanted))
    say(f"environment {name} is ready after {time.monotonic() - start:.0f} s")
    return python


def python_of(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint(constraints: str | None, version: str) -> dict[str, str]:
    """Return the inputs of an environment: its path, the Python and the text of the files that list packages."""
    files = ["pyproject.toml"] if constraints is None else ["pyproject.toml", constraints]
    text = b"".join((ROOT / file).read_bytes() for file in files)
    return {"folder": str(ROOT), "python": version, "packages": hashlib.sha256(text).hexdigest()}


def works(python: Path, code: str = "") -> bool:
    """Return whether this Python starts and runs the code."""
    return python.exists() and subprocess.run([str(python), "-c", code], capture_output=True).returncode == 0


def create(folder: Path, base: str) -> None:
    """Make an empty environment with uv if it is on the PATH, and with Python's venv otherwise."""
    version = version_of(base) or f"{sys.version_info.major}.{sys.version_info.minor}"
    say(f"making {folder.name} with Python {version}")
    if shutil.which("uv"):
        command = ["uv", "venv", "--quiet", "--python", base, str(folder)]
    else:
        command = [base, "-m", "venv", str(folder)]
        if subprocess.run([base, "-c", "import ensurepip, venv"], capture_output=True).returncode:
            raise Missing(
                f"this Python ({base}) comes without its venv module, so no environment can be made.\n"
                f"  Debian, Ubuntu: sudo apt install python{version}-venv\n"
                "  or install uv (https://docs.astral.sh/uv), which needs no venv module; then run this again"
            )
    if subprocess.run(command).returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise Missing(f"{' '.join(command)} failed, see above")


def install(python: Path, *words: str) -> None:
    """Install packages by uv, which pip installs first where it is not on the PATH.

    Where uv fails, pip tries: it also knows the package index that a company sets in pip's own configuration.
    """
    uv, pip = shutil.which("uv"), [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    if uv is None and subprocess.run([*pip, "install", "uv"], cwd=ROOT).returncode == 0:
        uv = str(python.with_name("uv"))
    uses_uv = [uv, "pip", "install", "--quiet", "--python", str(python)]
    for command in ([uses_uv] if uv else []) + [[*pip, "install"]]:
        if subprocess.run([*command, *words], cwd=ROOT).returncode == 0:
            return
    raise Missing("installing failed, see above. The first time needs a network connection; run the same command again")
