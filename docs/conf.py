"""Sphinx settings: the site is built from the notebooks, the pages in docs/ and the docstrings, by `make docs`."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

project = "pmp_kit"
author = "the pmp_kit authors"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/api/*.md",
    "notebooks/*.ipynb",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = ["docs/README.md"]

# Notebooks are run; without a kernel a picture stands where a widget would.
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "docs" / "cache")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

# Docstrings are plain text with equations, not reStructuredText: what looks like markup is meant literally.
suppress_warnings = [
    "mystnb.unknown_mime_type",  # the records of results, which are for tests
    "ref.python",  # a name such as `chains` stands in two places
]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = True

html_theme = "furo"
html_title = "pmp_kit"
html_static_path = []
html_show_sourcelink = False
default_role = "code"


def setup(app) -> None:
    """Escape in docstrings what reStructuredText would take for emphasis, substitutions and links."""
    app.connect("autodoc-process-docstring", literally, priority=400)  # before napoleon, which makes markup


def literally(app, what, name, subject, options, lines: list[str]) -> None:
    """Replace the lines of one docstring."""
    lines[:] = [re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", line) for line in lines]
