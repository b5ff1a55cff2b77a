"""Write the repository's address, one value in pyproject.toml, into every place that shows it.

README.md and the first cells of notebooks hold badges between `<!-- badges -->` and `<!-- /badges -->`: these are drawn
anew. Elsewhere (`%pip install` lines, citations) the owner/name that was written last time, as CITATION.cff tells, is
replaced by the one of pyproject.toml.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

from strip_notebooks import dumps, notebooks
from venvs import ROOT, say

BRANCH = "main"
FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"
REGION = re.compile(r"(<!-- badges -->\n).*?(<!-- /badges -->)", re.DOTALL)
CITATION = ROOT / "CITATION.cff"
RECORD = re.compile(r'^repository-code: "?https://github\.com/([\w.-]+/[\w.-]+?)"?$', re.MULTILINE)


def slug() -> str:
    """Return the repository's owner/name, from the address in pyproject.toml."""
    address = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(\.git)?/?", address)
    if not found:
        raise SystemExit(
            f"pyproject.toml, project.urls.Repository: expected https://github.com/OWNER/NAME, got {address}"
        )
    return found[1]


def badges(notebook: str) -> str:
    """Return the two badges, Binder and Colab, that open a notebook (a path from the top of the repository)."""
    binder = f"https://mybinder.org/v2/gh/{slug()}/{BRANCH}?urlpath=lab/tree/{notebook}"
    colab = f"https://colab.research.google.com/github/{slug()}/blob/{BRANCH}/{notebook}"
    return (
        f"[![Open on Binder](https://mybinder.org/badge_logo.svg)]({binder})\n"
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab})\n"
    )


def stamp(text: str, notebook: str) -> str:
    """Return a text with its badges drawn for `notebook` and the old owner/name replaced."""
    written = RECORD.search(CITATION.read_text())
    if not written:
        raise SystemExit("CITATION.cff: expected a line `repository-code: https://github.com/OWNER/NAME`")
    text = text.replace(written[1], slug())
    return REGION.sub(lambda match: match[1] + badges(notebook) + match[2], text)


def stamp_notebook(path: Path) -> str:
    """Return a notebook's text, every cell stamped."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        source = stamp("".join(cell["source"]), f"notebooks/{path.name}")
        cell["source"] = source.splitlines(keepends=True)
    return dumps(notebook)


def changes() -> dict[Path, str]:
    """Return the files that do not agree with pyproject.toml, with their new texts; CITATION.cff, last."""
    texts = {path: stamp_notebook(path) for path in notebooks()}
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", CITATION):
        if path.exists():
            texts[path] = stamp(path.read_text(encoding="utf-8"), FIRST_NOTEBOOK)
    return {path: text for path, text in texts.items() if text != path.read_text(encoding="utf-8")}


def main() -> int:
    """Write the repository's address from pyproject.toml into README.md, the notebooks and CITATION.cff."""
    for path, text in changes().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        say(f"stamped {path.relative_to(ROOT)}")
    say(f"the address is https://github.com/{slug()} everywhere")
    return 0


if __name__ == "__main__":
    sys.exit(main())
