"""The project's jobs. `make JOB` and `python .ci/dev.py JOB` do the same thing."""

import os
import shutil
import subprocess
import sys

if sys.version_info < (3, 11):  # this part must also run on old versions of Python
    names = filter(None, map(shutil.which, ("python3.13", "python3.12", "python3.11", "python3.14")))
    newer = next((name for name in names if subprocess.call([name, "-c", ""], stderr=subprocess.DEVNULL) == 0), None)
    if newer is None:
        version = ".".join(map(str, sys.version_info[:3]))
        sys.exit(
            f"pmp_kit needs Python 3.11 or newer, this is {version}. Install one, then: make PYTHON=python3.12 JOB"
        )
    print(f"==> {sys.executable} is too old, using {newer}", flush=True)
    sys.exit(subprocess.call([newer, *sys.argv]))

from pathlib import Path

import badges
import docs_site
import gate
import pgmax_venv
import strip_notebooks
import venvs
from venvs import ROOT, say


def setup() -> int:
    """Make the environment .venv with the course and the tools of the tests."""
    venvs.ensure()
    return 0


def lab(*options: str) -> int:
    """Open JupyterLab on the first notebook; further words go to JupyterLab, as in `lab --no-browser`."""
    python = venvs.ensure()
    command = [str(python), "-m", "jupyterlab", f"--ServerApp.root_dir={ROOT}"]
    command.append(f"--LabApp.default_url=/lab/tree/{badges.FIRST_NOTEBOOK}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        say("running as root; JupyterLab requires --allow-root: adding it")
        command.append("--allow-root")
    folders = str(ROOT / "binder"), os.environ.get("JUPYTER_CONFIG_PATH")  # the server answers sliders at once
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, folders))
    say(f"opening {badges.FIRST_NOTEBOOK} in JupyterLab (Ctrl-C twice ends it)")
    return run([*command, *options])


def test() -> int:
    """Run the tests that every change must pass: library, float64 oracles, notebooks and browser."""
    return gate.run(gate.suite(venvs.ensure()))


def test_all() -> int:
    """Run all checks, the long tests as well, `trust`, and those of `make frozen`."""
    python = venvs.ensure()
    return gate.run(gate.lint(python) + gate.suite(python, everything=True) + gate.trust(python) + gate.frozen())


def slow() -> int:
    """Run the library tests that `make test` leaves out because they take long."""
    return gate.run(gate.slow(venvs.ensure()))


def trust() -> int:
    """Try random input, damaged files and killed runs."""
    return gate.run(gate.trust(venvs.ensure()))


def paper() -> int:
    """Run the pages of the paper's shelf in their quick profile, and check their numbers."""
    return gate.run(gate.paper(venvs.ensure()))


def frozen() -> int:
    """Run library, notebooks and pages 00 to 05 in a browser on the oldest versions that are promised: Colab's."""
    return gate.run(gate.frozen())


def newest() -> int:
    """Run the tests of `make test` on the newest versions that pyproject.toml allows, on Python 3.13 if it is found."""
    return gate.run(gate.newest())


def browser() -> int:
    """Try every page and every explorer in a real browser, in the light and the dark theme."""
    return gate.run(gate.browser(venvs.ensure()))


def installs() -> int:
    """Install the library, the course and Binder's environment into empty environments, and try each."""
    return gate.run(gate.installs(venvs.ensure()))


def lint() -> int:
    """Check style, format and types, of Python and of the page's JavaScript."""
    return gate.run(gate.lint(venvs.ensure()))


def walk() -> int:
    """Print the functions of the library that the first call of `sample` enters, file by file."""
    return run([str(venvs.ensure()), ".ci/walk.py"])


def stills() -> int:
    """Make the pictures of the explorers that GitHub shows, in a real browser."""
    return run([str(venvs.ensure()), ".ci/stills.py"])


def latency(*options: str) -> int:
    """Measure the time from slider to picture in a real browser, in milliseconds."""
    return run([str(venvs.ensure()), "benchmarks/latency.py", *options])


def bench(*options: str) -> int:
    """Measure the kit beside the paper's plain algorithm, in a full run also PGMax; about twenty minutes."""
    python = venvs.ensure()
    other = None if {"--only", "--help", "quick", "--profile=quick"} & set(options) else pgmax_venv.ensure(python)
    extra = [] if other is None else ["--pgmax", str(other)]
    return run([str(python), "benchmarks/bench.py", *extra, *options])


def reproduce(*options: str) -> int:
    """Run the paper's experiments and print the scorecard; --experiment 5.3 --profile paper runs one in full."""
    return run([str(venvs.ensure()), "-m", "pmp_kit.course.experiments.reproduce", *options])


def docs() -> int:
    """Build the documentation site, notebooks and all, into build/docs."""
    return docs_site.build()


def train(*options: str) -> int:
    """Train the committed digits in pmp_kit/course/data again."""
    return run([str(venvs.ensure()), "-m", "pmp_kit.course.train_digits", *options])


def page(*name: str) -> int:
    """Write the skeleton of a page of the course, with its explorer, exercise and tests: make page NAME=17_my_page."""
    return run([str(venvs.ensure()), ".ci/page.py", *name])


def pins() -> int:
    """Write the newest versions that fit into the constraints files and both environment.yml (needs uv)."""
    return run([str(venvs.ensure()), ".ci/pins.py"])


def clean() -> int:
    """Remove the environments, the caches and what was built."""
    for path in [*ROOT.glob(".venv*"), *(ROOT / name for name in (".cache", "build", "dist", ".pytest_cache"))]:
        if path.exists():
            say(f"removing {path.name}")
            shutil.rmtree(path)
    return 0


def run(command: list[str]) -> int:
    """Replace this process by a command in the project's folder, so that Ctrl-C and other signals reach the command."""
    if os.name == "posix":
        os.chdir(ROOT)
        os.execv(command[0], command)
    return subprocess.call(command, cwd=ROOT)


JOBS = {
    "setup": setup,
    "lab": lab,
    "test": test,
    "test-all": test_all,
    "slow": slow,
    "trust": trust,
    "paper": paper,
    "frozen": frozen,
    "newest": newest,
    "browser": browser,
    "installs": installs,
    "lint": lint,
    "walk": walk,
    "latency": latency,
    "bench": bench,
    "reproduce": reproduce,
    "docs": docs,
    "train": train,
    "badges": badges.main,
    "strip": strip_notebooks.main,
    "stills": stills,
    "page": page,
    "pins": pins,
    "clean": clean,
}


def main(words: list[str]) -> int:
    """Run the job that the first word names with the other words as options, or list the jobs if there is no word."""
    if not words or words[0] not in JOBS:
        print(f"python {Path(__file__).relative_to(ROOT)} JOB, where JOB is one of")
        for name, job in JOBS.items():
            print(f"  {name:10}{(job.__doc__ or '').splitlines()[0]}")
        return 0 if words in ([], ["help"]) else 2
    try:
        return JOBS[words[0]](*words[1:])
    except venvs.Missing as problem:
        print(f"\npmp_kit: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
