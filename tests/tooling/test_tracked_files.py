"""Committed files name no local machine or package registry, notebooks are stripped, and all addresses agree."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import badges
import strip_notebooks

ROOT = Path(__file__).parents[2]
MACHINE_PATH = re.compile(r"(?<![\w./+=-])/(home|Users|root|work|opt|mnt|scratch)/\w")
REGISTRY = re.compile(
    r"index-url|extra-index|find-links|pythonhosted\.org|pypi\.org/simple|registry\.npmjs|\"resolved\": *\"http"
)
ADDRESS = re.compile(
    r"(?:mybinder\.org/v2/gh/|colab\.research\.google\.com/github/|git\+https://github\.com/)([\w.-]+/[\w.-]+?)(?=[/@\s\"'?)]|\.git|\\n|$)"
)


def tracked() -> list[Path]:
    """Return the files that git tracks."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git checkout here")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[Path, str]]:
    """Return the tracked text files without this one, because it contains the patterns."""
    binary = {".gif", ".gz", ".npz", ".png"}
    files = [path for path in tracked() if path.suffix not in binary and path != Path(__file__)]
    return [(path, path.read_text(encoding="utf-8")) for path in files]


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["paths", "registries"])
def test_nothing_of_one_machine(pattern):
    found = [f"{path.relative_to(ROOT)}: {match[0]}" for path, text in texts() for match in pattern.finditer(text)]
    assert not found


def test_notebooks_are_stripped():
    paths = strip_notebooks.notebooks()
    dirty = [
        p.name
        for p in paths
        if strip_notebooks.dumps(strip_notebooks.strip(json.loads(p.read_text()))) != p.read_text()
    ]
    assert not dirty, "run `make strip`"


def test_one_address_everywhere():
    assert not [path.name for path in badges.changes()], "run `make badges`"
    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in texts()
        if path.name == "README.md" or path.suffix == ".ipynb"
        for match in ADDRESS.finditer(text)
        if match[1] != badges.slug()
    ]
    assert not wrong
