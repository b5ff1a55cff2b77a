"""Update the exact versions in the constraints files with uv's resolver, and both environment.yml files from them.

This file needs the project's environment, because it reads requirements with `packaging`.
"""

import re
import shutil
import subprocess
import sys
import tomllib

from packaging.requirements import Requirement

from venvs import ROOT, Missing, say

CONSTRAINTS = ROOT / "constraints.txt"
COLAB = ROOT / ".ci/constraints-colab.txt"
COLAB_WITHOUT = ROOT / ".ci/constraints-colab-without.txt"
ENVIRONMENTS = [ROOT / "environment.yml", ROOT / "binder/environment.yml"]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
CONDA_PYTHON = "3.12"
HEADER = """\
# The exact versions that the tests ran with, for Python 3.11 and newer on Linux, macOS and Windows.
# Used by make and CI as constraints: what is needed, and from which version on, is said in pyproject.toml.
# Written by `make pins` (needs uv); run `make test-all` after it.
"""
COLAB_HEADER = "# constraints-colab.in, completed by `make pins`: the versions of `make frozen`.\n"


def normal(name: str) -> str:
    """Return a package's name in normal form, which is the same for all spellings."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Return package name -> version in constraints.txt for the Python version of environment.yml."""
    lines = [line for line in CONSTRAINTS.read_text().splitlines() if line and not line.startswith("#")]
    requirements = [Requirement(line) for line in lines]
    python = {"python_version": CONDA_PYTHON, "python_full_version": f"{CONDA_PYTHON}.12", "sys_platform": "linux"}
    used = [r for r in requirements if r.marker is None or r.marker.evaluate(python)]
    return {normal(r.name): str(r.specifier).removeprefix("==") for r in used}


def requirements(*extras: str) -> list[Requirement]:
    """Return the requirements of the library and of these extras, including the extras that they refer to."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *(line for e in extras for line in project["optional-dependencies"][e])]
    found = []
    for requirement in map(Requirement, lines):
        if normal(requirement.name) == normal(project["name"]):
            found += [each for each in requirements(*requirement.extras) if each not in found]
        elif requirement not in found:
            found.append(requirement)
    return found


def environment() -> str:
    """Return the text of environment.yml with conda-forge packages at the versions in constraints.txt."""
    versions = pins()
    names = sorted(requirement.name for requirement in requirements("course"))
    lines = [f"  - {CONDA_NAMES.get(name, name)}={versions[normal(name)]}" for name in names]
    return "\n".join(
        [
            "# The course, for Binder and for `conda env create` (after which: pip install --no-deps -e .).",
            "# The versions are those of constraints.txt. Written by `make pins`; binder/ needs a copy of its own.",
            "name: pmp_kit",
            "channels:",
            "  - conda-forge",
            "dependencies:",
            f"  - python={CONDA_PYTHON}",
            "  - pip",
            *lines,
            "",
        ]
    )


def compile_pins(*options: str) -> str:
    """Return the newest compatible versions that pyproject.toml and the options allow, for Python 3.11 and newer.

    A package has several lines if its newest version needs a newer Python than another one of its versions.
    """
    if not shutil.which("uv"):
        raise Missing(
            "refreshing the pins needs uv on the PATH (https://docs.astral.sh/uv): its resolver serves all Pythons"
        )
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--extra", "test", "--fork-strategy", "requires-python", "--no-header", "--no-annotate"]
    result = subprocess.run([*command, *options, "pyproject.toml"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        raise Missing("uv found no versions that fit together, see above")
    return result.stdout


def main() -> int:
    """Write the newest versions that fit into the constraints files and both environment.yml (needs uv)."""
    CONSTRAINTS.write_text(HEADER + compile_pins())
    COLAB.write_text(
        COLAB_HEADER + compile_pins("--constraint", str(COLAB.with_suffix(".in")), "--excludes", str(COLAB_WITHOUT))
    )
    for path in ENVIRONMENTS:
        path.write_text(environment())
    say("both constraints files and both environment.yml are refreshed; now run: make test-all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
