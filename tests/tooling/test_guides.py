"""The paths and the jobs of make that guides, docstrings and comments name exist."""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

import dev

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("pmp_kit", "tests", "benchmarks", "docs", "notebooks", "binder", ".ci", ".github")
CODE = sorted(path for folder in ("pmp_kit", ".ci", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*")
JOB = re.compile(r"`make ([a-z][a-z-]*)")


@cache
def spoken(path: Path) -> str:
    """Return the docstrings and comments of a Python file, or the whole text of another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    said = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(said + [token.string for token in tokens if token.type == tokenize.COMMENT])


def exists(name: str) -> bool:
    """Return whether a path is in the repository. `*` and words in capitals stand for any name."""
    name = name.rstrip(".")
    pattern = re.sub(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b(?!\.md)", "*", name).rstrip("/")
    return (ROOT / name).exists() or ("*" in pattern and any(ROOT.glob(pattern)))


def wrong(pattern: re.Pattern, right) -> list[str]:
    """Return the places where the pattern matches text for which `right` is false."""
    said = [(path, match) for path in [*GUIDES, *CODE] for match in pattern.findall(spoken(path))]
    return [f"{path.relative_to(ROOT)}: {match}" for path, match in said if not right(match)]


def test_every_path_exists():
    assert not wrong(PATH, exists)


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
