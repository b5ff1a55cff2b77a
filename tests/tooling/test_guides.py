"""The paths, files, modules and jobs of make that guides, docstrings and comments mention exist."""

import ast
import importlib
import io
import re
import subprocess
import tokenize
from functools import cache
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = sorted(path for folder in ("pmp_kit", ".ci", "tests", "docs") for path in (ROOT / folder).rglob("*.py"))
SCRIPTS = [ROOT / name for name in ("Makefile", ".ci/run", "binder/postBuild", "pyproject.toml")]
FOLDERS = r"pmp_kit|tests|docs|notebooks|binder|\.ci|\.github"
PATH = re.compile(rf"(?<![\w./-])(?:{FOLDERS})/[\w./*-]*")
FILE = re.compile(r"(?<![\w./*-])[\w.-]+\.(?:md|py|js|css|toml|yml|ipynb|cff)\b(?!\w)")
MODULE = re.compile(r"(?<![\w./])pmp_kit(?:\.\w+)+")
WRITTEN_BY_READERS = {"mine.py", "mine_old.py", "returned.ipynb", "checked.ipynb"}
JOB = re.compile(r"`make ([a-z][a-z-]*)")


@cache
def spoken(path: Path) -> str:
    """Return the docstrings and comments of a Python file, or the whole text of another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    said = [ast.get_docstring(node) or "" for node in nodes]
    return "\n".join(said + [token.string for token in tokens if token.type == tokenize.COMMENT])


def exists(name: str) -> bool:
    """Return whether a path is in the repository. `*` and words in capitals stand for any name."""
    name = name.rstrip(".")
    pattern = re.sub(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b(?!\.md)", "*", name).rstrip("/")
    return (ROOT / name).exists() or ("*" in pattern and any(ROOT.glob(pattern)))


def importable(name: str) -> bool:
    """Whether a dotted name is a module of the kit, or a name in one."""
    found, parts = importlib.import_module("pmp_kit"), name.split(".")[1:]
    for number, part in enumerate(parts):
        if not hasattr(found, part):
            try:
                importlib.import_module(f"pmp_kit.{'.'.join(parts[: number + 1])}")
            except ModuleNotFoundError:
                return False
        found = getattr(found, part)
    return True


def tracked() -> set[str]:
    """The names of all files that git tracks."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    if not listed:
        pytest.skip("no git checkout here")
    return {Path(name).name for name in listed}


ALL = [path for path in [*GUIDES, *CODE, *SCRIPTS] if path != Path(__file__)]


def wrong(pattern: re.Pattern, right) -> list[str]:
    """Return the places where the pattern matches text for which `right` is false."""
    said = [(path, match) for path in ALL for match in pattern.findall(spoken(path))]
    return [f"{path.relative_to(ROOT)}: {match}" for path, match in said if not right(match)]


def test_every_path_exists():
    assert not wrong(PATH, exists)


def test_every_file_exists():
    names = tracked() | WRITTEN_BY_READERS
    assert not wrong(FILE, lambda name: name in names)


def test_every_module_exists():
    assert not wrong(MODULE, importable)


def test_every_job_exists():
    assert not wrong(JOB, lambda job: job in dev.JOBS)


def test_the_tree_in_the_readme_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"## Where things are\n\n((?:    .*\n)+)", text)
    above: list[str] = []
    for line in tree.splitlines():
        folder = line.split()[0]
        depth = (len(line) - len(line.lstrip()) - 4) // 2
        above = [*above[:depth], folder]
        assert (ROOT / "".join(above)).is_dir(), f"README's tree: there is no folder {''.join(above)}"


def test_the_search_finds_what_is_wrong():
    assert PATH.findall("see pmp_kit/bench/plain_*.py, tests/paper.") == ["pmp_kit/bench/plain_*.py", "tests/paper."]
    assert exists("tests/paper.")
    assert exists("notebooks/NN_NAME.ipynb")
    assert not exists("pmp_kit/bench/plain_*.py")
    assert FILE.findall("(PAPER.md AC4) and [README](../README.md)") == ["PAPER.md"]
    assert importable("pmp_kit.course.experiments.record.record")
    assert not importable("pmp_kit.course.experiments.records")
