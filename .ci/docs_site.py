"""Build the documentation site from notebooks, pages and docstrings in a separate environment, for `make docs`."""

import subprocess

import venvs
from venvs import ROOT, say

NAME = ".venv-docs"
OUT = ROOT / "build" / "docs" / "html"
FIRST = "docs/index.html"


def build() -> int:
    """Build the site into build/docs/html. Notebooks that have not changed are not run again."""
    python = venvs.ensure(NAME, "constraints.txt", extra="docs")
    command = [str(python), "-m", "sphinx", "-c", "docs", "-b", "html", "-q", "--keep-going", "-W", ".", str(OUT)]
    status = subprocess.run(command, cwd=ROOT).returncode
    if not status:
        (OUT / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={FIRST}">\n', encoding="utf-8")
        say(f"the site is at {(OUT / FIRST).relative_to(ROOT)}")
    return status
