"""Build the documentation site from notebooks, pages and docstrings in a separate environment, for `make docs`."""

import re
import subprocess
from pathlib import Path

import venvs
from venvs import ROOT, Missing, say

NAME = ".venv-docs"
OUT = ROOT / "build" / "docs" / "html"
FIRST = "docs/index.html"
# What a browser loads by itself; a link to another site is not loaded.
LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["'](?:https?:)?//|@import|url\(["']?http"""
)


def build() -> int:
    """Build the site into build/docs/html. Notebooks that have not changed are not run again."""
    python = venvs.ensure(NAME, "constraints.txt", extra="docs")
    command = [str(python), "-m", "sphinx", "-c", "docs", "-b", "html", "-q", "--keep-going", "-W", ".", str(OUT)]
    status = subprocess.run(command, cwd=ROOT).returncode
    if not status:
        loading = pages_that_load(OUT)
        if loading:
            raise Missing(f"expected pages that fetch nothing from elsewhere, got {', '.join(loading)}; see their HTML")
        (OUT / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={FIRST}">\n', encoding="utf-8")
        say(f"the site is at {(OUT / FIRST).relative_to(ROOT)}")
    return status


def pages_that_load(folder: Path) -> list[str]:
    """Return the pages in a folder that would load a script, a style sheet, a font or a picture from another site."""
    pages = sorted(folder.rglob("*.html"))
    return [page.name for page in pages if LOADED.search(page.read_text(encoding="utf-8"))]
