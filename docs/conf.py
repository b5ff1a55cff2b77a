"""Sphinx settings: the site is built from the notebooks, the pages in docs/ and the docstrings, by `make docs`."""

import os
import re
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.docutils import SphinxDirective

import pmp_kit
from pmp_kit.course.explore.picture.page import PLAYERS

ROOT = Path(__file__).resolve().parents[1]

project = "pmp_kit"
author = "the pmp_kit authors"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/api/*.md",
    "notebooks/*.ipynb",
    "notebooks/paper/*.ipynb",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = ["docs/README.md"]

# Notebooks are run. A picture with a table of its states takes the place of each explorer, and works without a kernel.
os.environ[PLAYERS] = "1"  # the kernels inherit it
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "docs" / "cache")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_ipywidgets_js = {}  # pages need no scripts of widgets, nor the states of widgets that `without_widgets` leaves out
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

# Docstrings are plain text with equations, not reStructuredText: what looks like markup is meant literally.
suppress_warnings = [
    "mystnb.unknown_mime_type",  # the records of results, which are for tests
    "ref.python",  # a name such as `chains` stands in two places
]
autoclass_content = "both"  # what a class does, and the arguments of its constructor
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_inherit_docstrings = False  # so a class shows what it adds, and not the hooks of its base once more
autodoc_typehints = "none"
napoleon_google_docstring = True
napoleon_use_ivar = True
napoleon_attr_annotations = False  # shapes such as "n *batch" are no markup

html_theme = "furo"
html_title = "pmp_kit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"  # browsers draw MathML themselves, so that pages fetch nothing
html_show_copyright = False
html_show_sourcelink = False
default_role = "code"


class Public(SphinxDirective):
    """`.. public:: factors noise` shows the public names of these modules of pmp_kit: a table, then each in full."""

    required_arguments, final_argument_whitespace = 1, True

    def run(self):
        """Return what autosummary and autodoc make of the names."""
        rooms = tuple(f"pmp_kit.{room}." for room in self.arguments[0].split())
        things = {name: getattr(pmp_kit, name) for name in pmp_kit.__all__}
        names = {n: thing for n, thing in things.items() if f"{getattr(thing, '__module__', '')}.".startswith(rooms)}
        lines = [".. currentmodule:: pmp_kit", "", ".. autosummary::", "", *(f"   {name}" for name in names), ""]
        for name, thing in names.items():
            lines += [f".. auto{'class' if isinstance(thing, type) else 'function'}:: {name}", ""]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app) -> None:
    """Add `public`, and escape in docstrings what reStructuredText would take for emphasis, substitutions and links."""
    app.add_directive("public", Public)
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
    app.connect("html-page-context", without_widgets, priority=900)  # after myst-nb has added them
    app.connect("autodoc-skip-member", field_of_tuple)
    app.connect("autodoc-process-docstring", literally, priority=400)  # before napoleon, which makes markup


def field_of_tuple(app, what, name, thing, skip, options) -> bool | None:
    """Leave out fields of named tuples without a text of their own: the class's docstring describes them."""
    return True if "Alias for field number" in (getattr(thing, "__doc__", None) or "") else None


def literally(app, what, name, subject, options, lines: list[str]) -> None:
    """Replace the lines of one docstring; arguments of constructors, which begin with "Args:", are indented."""
    own = (line for line in lines if not line.startswith("Create new instance of "))  # Python's text of named tuples
    lines[:] = [re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", line) for line in own]
    if lines[:1] == ["Args:"]:
        end = lines.index("")  # every docstring ends with an empty line
        lines[1:end] = [f"    {line}" for line in lines[1:end]]


def without_widgets(app, page, template, context, tree) -> None:
    """Leave out the states of widgets, of which a page without a kernel shows nothing."""
    states = "application/vnd.jupyter.widget-state+json"
    context["script_files"][:] = [
        script for script in context["script_files"] if getattr(script, "attributes", {}).get("type") != states
    ]


def formula(writer, node) -> None:
    """Write one formula as MathML. docutils does not know sizes of brackets, which MathML sets by itself."""
    latex = re.sub(r"\\[bB]ig(?![a-zA-Z])", "", node.astext()).replace(r"\dots", r"\ldots")
    latex = re.sub(r"(\\t?frac)(\d)(\d)", r"\1{\2}{\3}", latex)
    writer.body.append(tex2mathml(latex, as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode
