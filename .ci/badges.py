"""Write the repository's address on GitHub from pyproject.toml into every file that shows it.

Without an address, README.md contains a sentence about this instead of broken links, and the notebooks contain nothing.
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
COLAB_PINS = ROOT / ".ci/constraints-colab.txt"
COLAB_LACKS = ("equinox", "jaxtyping", "wadler-lindig", "arviz-stats", "arviz-base", "xarray-einstats")
"""Packages that the kit needs and Colab lacks. Colab's own JAX is kept, because it can use the GPU."""
ADDRESS = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
BADGES = re.compile(r"(<!-- badges -->\n).*?(<!-- /badges -->)", re.DOTALL)
COLAB = re.compile(r'^if "google\.colab" in sys\.modules:.*\n(?:    .*\n)+', re.MULTILINE)
CODE_OF_CITATION = re.compile(r"^repository-code: .*\n", re.MULTILINE)
ENTRY, WANTED = "pyproject.toml, project.urls.Repository", "https://github.com/OWNER/NAME"
NO_BADGES = "`make badges` puts links to Binder and Colab here, once this repository is on GitHub.\n"


def slug() -> str:
    """Return the repository's owner/name from the address in pyproject.toml, or an empty string if there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Repository")
    found = ADDRESS.fullmatch(address or "")
    if address is not None and not found:
        raise SystemExit(f"{ENTRY}: expected {WANTED}, got {address}")
    return found[1] if found else ""


def badges(owner_and_name: str, notebook: str) -> str:
    """Return the Binder badge and the Colab badge of a notebook, which is given by its path in the repository."""
    if not owner_and_name:
        return ""
    binder = f"https://mybinder.org/v2/gh/{owner_and_name}/{BRANCH}?urlpath=lab/tree/{notebook}"
    colab = f"https://colab.research.google.com/github/{owner_and_name}/blob/{BRANCH}/{notebook}"
    return (
        f"[![Open on Binder](https://mybinder.org/badge_logo.svg)]({binder})\n"
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab})\n"
    )


def colab_packages() -> str:
    """Return the packages that Colab lacks, at the versions that `make frozen` tests beside Colab's own."""
    lines = COLAB_PINS.read_text(encoding="utf-8").splitlines()
    return " ".join(line for line in lines if line.partition("==")[0] in COLAB_LACKS)


def colab_lines(owner_and_name: str) -> str:
    """Return the lines of a notebook's first code cell that make it run on Colab."""
    if not owner_and_name:
        return (
            'if "google.colab" in sys.modules:  # the repository has no address yet\n'
            '    print("pmp_kit is missing. Run `make badges` in a clone from GitHub, and open its notebook.")\n'
        )
    return (
        'if "google.colab" in sys.modules:  # Colab keeps its own JAX, which can use the GPU\n'
        f"    %pip install -q --no-deps git+https://github.com/{owner_and_name}\n"
        f"    %pip install -q --no-deps {colab_packages()}\n"
    )


def stamped(text: str, notebook: str, instead: str = "") -> str:
    """Return a text or the source of a cell with Colab's lines and the badges of a notebook, or `instead` of badges."""
    text = BADGES.sub(lambda match: match[1] + (badges(slug(), notebook) or instead) + match[2], text)
    return COLAB.sub(lambda match: colab_lines(slug()), text)


def stamped_notebook(path: Path) -> str:
    """Return a notebook's text with `stamped` applied to every cell."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = stamped("".join(cell["source"]), path.relative_to(ROOT).as_posix()).splitlines(keepends=True)
    return dumps(notebook)


def stamped_citation(text: str) -> str:
    """Return the text of CITATION.cff with the address after the licence, or without an address if there is none."""
    text = CODE_OF_CITATION.sub("", text)
    line = f"\\g<0>repository-code: https://github.com/{slug()}\n"
    return re.sub(r"^license: .*\n", line, text, count=1, flags=re.MULTILINE) if slug() else text


def changes() -> dict[Path, str]:
    """Return the files that do not agree with pyproject.toml, with their new texts."""
    texts = {path: stamped_notebook(path) for path in notebooks()}
    readme, citation = ROOT / "README.md", ROOT / "CITATION.cff"
    texts[readme] = stamped(readme.read_text(encoding="utf-8"), FIRST_NOTEBOOK, NO_BADGES)
    texts[citation] = stamped_citation(citation.read_text(encoding="utf-8"))
    return {path: text for path, text in texts.items() if text != path.read_text(encoding="utf-8")}


def main() -> int:
    """Write the repository's address into README.md, the notebooks and CITATION.cff."""
    for path, text in changes().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        say(f"stamped {path.relative_to(ROOT)}")
    missing = f"{ENTRY}: expected {WANTED}, got none; write it there, and run `make badges` again"
    say(f"the address is https://github.com/{slug()} everywhere" if slug() else missing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
